//===- FactsFields.h - Field lists of kernel facts --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the JSON form and the bytes of facts are made from.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_KERNEL_FACTSFIELDS_H
#define GPUOCC_LIB_KERNEL_FACTSFIELDS_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Support/SupportFields.h"

namespace gpuocc {

/// "%12", "%12.1" (a further result), "-4", "@3" (a symbol), "undef".
template <> struct JSONFields<Operand> {
  static std::string text(const Operand &O) {
    switch (O.K) {
    case Operand::Kind::Value:
      return "%" + std::to_string(O.Index) +
             (O.Result ? "." + std::to_string(O.Result) : "");
    case Operand::Kind::Immediate:
      return std::to_string(O.Imm);
    case Operand::Kind::Symbol:
      return "@" + std::to_string(O.Index);
    case Operand::Kind::Undef:
      return "undef";
    }
    llvm_unreachable("all kinds of operands are handled");
  }

  static bool parse(llvm::StringRef S, Operand &Out) {
    if (S == "undef") {
      Out = Operand();
      return true;
    }
    uint32_t Index = 0;
    if (S.consume_front("@")) {
      Out = Operand::symbol(0);
      return !S.getAsInteger(10, Out.Index);
    }
    if (S.consume_front("%")) {
      auto [Op, Result] = S.split('.');
      uint8_t Number = 0;
      if (Op.getAsInteger(10, Index) ||
          (!Result.empty() && Result.getAsInteger(10, Number)))
        return false;
      Out = Operand::value(Index, Number);
      return true;
    }
    int64_t Imm = 0;
    if (S.getAsInteger(10, Imm))
      return false;
    Out = Operand::immediate(Imm);
    return true;
  }
};

template <> struct JSONWords<SpecialReg> {
  static constexpr llvm::StringLiteral Words[] = {"none",
                                                  "tid.x",
                                                  "tid.y",
                                                  "tid.z",
                                                  "ntid.x",
                                                  "ntid.y",
                                                  "ntid.z",
                                                  "ctaid.x",
                                                  "ctaid.y",
                                                  "ctaid.z",
                                                  "nctaid.x",
                                                  "nctaid.y",
                                                  "nctaid.z",
                                                  "cluster_ctaid.x",
                                                  "cluster_ctaid.y",
                                                  "cluster_ctaid.z",
                                                  "cluster_nctaid.x",
                                                  "cluster_nctaid.y",
                                                  "cluster_nctaid.z",
                                                  "clusterid.x",
                                                  "clusterid.y",
                                                  "clusterid.z",
                                                  "nclusterid.x",
                                                  "nclusterid.y",
                                                  "nclusterid.z",
                                                  "cluster_ctarank",
                                                  "cluster_nctarank",
                                                  "laneid",
                                                  "warpid",
                                                  "nwarpid",
                                                  "smid",
                                                  "clock",
                                                  "globaltimer",
                                                  "lanemask_eq",
                                                  "lanemask_lt",
                                                  "lanemask_le",
                                                  "lanemask_gt",
                                                  "lanemask_ge",
                                                  "dynamic_smem_size",
                                                  "warp_size",
                                                  "other"};
  static constexpr unsigned Count = std::size(Words);
  static_assert(Count == unsigned(SpecialReg::Other) + 1);
  static llvm::StringRef text(SpecialReg R) { return Words[size_t(R)]; }
};

template <> struct JSONWords<ComparePredicate> {
  static constexpr llvm::StringLiteral Words[] = {
      "eq",   "ne",   "lt.s", "le.s", "gt.s", "ge.s",
      "lt.u", "le.u", "gt.u", "ge.u", "other"};
  static constexpr unsigned Count = std::size(Words);
  static_assert(Count == unsigned(ComparePredicate::Other) + 1);
  static llvm::StringRef text(ComparePredicate P) { return Words[size_t(P)]; }
};

template <> struct JSONWords<ShuffleKind> {
  static constexpr llvm::StringLiteral Words[] = {"none", "up", "down", "bfly",
                                                  "idx"};
  static constexpr unsigned Count = std::size(Words);
  static_assert(Count == unsigned(ShuffleKind::Idx) + 1);
  static llvm::StringRef text(ShuffleKind K) { return Words[size_t(K)]; }
};

template <> struct JSONWords<QueuedFunction> {
  static constexpr unsigned Count = NumQueuedFunctions;
  static llvm::StringRef text(QueuedFunction F) {
    return queuedFunctionText(F);
  }
};

template <> struct JSONWords<Semantics> {
  static constexpr unsigned Count = 0
#define SEMANTICS(Enum, Text, Arity) +1
#include "gpuocc/Kernel/Semantics.def"
      ;
  static llvm::StringRef text(Semantics S) { return semanticsText(S); }
};

template <> struct JSONWords<MemorySpace> {
  static constexpr unsigned Count = unsigned(MemorySpace::Generic) + 1;
  static llvm::StringRef text(MemorySpace S) { return memorySpaceText(S); }
};

template <> struct JSONWords<AccessKind> {
  static constexpr unsigned Count = unsigned(AccessKind::AsyncCopy) + 1;
  static llvm::StringRef text(AccessKind K) { return accessKindText(K); }
};

template <> struct JSONWords<LaneCombining> {
  static constexpr unsigned Count = unsigned(LaneCombining::Retried) + 1;
  static llvm::StringRef text(LaneCombining C) { return laneCombiningText(C); }
};

template <> struct JSONWords<MachineView> {
  static constexpr unsigned Count = unsigned(MachineView::Sass) + 1;
  static llvm::StringRef text(MachineView V) { return machineViewKey(V); }
};

template <> struct JSONWords<Mechanism> {
  static constexpr unsigned Count = NumMechanisms;
  static llvm::StringRef text(Mechanism M) { return mechanismInfo(M).Key; }
};

template <> struct JSONFields<Emission> {
  template <typename V> static void visit(V &&Field) {
    Field("class", &Emission::Class);
    Field("count", &Emission::Count);
    Field("on_path", &Emission::OnPath);
  }
};

template <> struct JSONFields<QueuedCall> {
  template <typename V> static void visit(V &&Field) {
    Field("function", &QueuedCall::Function);
    Field("count", &QueuedCall::Count);
  }
};

template <> struct JSONFields<IssueControl> {
  template <typename V> static void visit(V &&Field) {
    Field("stall", &IssueControl::StallCycles);
    Field("yields", &IssueControl::Yields);
    Field("write_barrier", &IssueControl::WriteBarrier);
    Field("read_barrier", &IssueControl::ReadBarrier);
    Field("wait_mask", &IssueControl::WaitMask);
  }
};

template <> struct JSONFields<Operation> {
  template <typename V> static void visit(V &&Field) {
    Field("opcode", &Operation::Opcode);
    Field("emits", &Operation::Emits);
    Field("queued", &Operation::Queued);
    Field("what", &Operation::What);
    Field("bits", &Operation::Bits);
    Field("from_bits", &Operation::FromBits);
    Field("results", &Operation::NumResults);
    Field("sreg", &Operation::SReg);
    Field("compare", &Operation::Compare);
    Field("shuffle", &Operation::Shuffle);
    Field("imm", &Operation::Imm);
    Field("operands", &Operation::Operands);
    Field("tuples", &Operation::Tuples);
    Field("phi_blocks", &Operation::PhiBlocks);
    Field("block", &Operation::Block);
    Field("location", &Operation::Location);
    Field("access", &Operation::Access);
    Field("origin", &Operation::Origin);
    Field("control", &Operation::Control);
    Field("guard", &Operation::Guard);
    Field("guard_negated", &Operation::GuardNegated);
  }
};

template <> struct JSONFields<MemoryAccess> {
  template <typename V> static void visit(V &&Field) {
    Field("op", &MemoryAccess::Op);
    Field("space", &MemoryAccess::Space);
    Field("kind", &MemoryAccess::Kind);
    Field("bytes_per_lane", &MemoryAccess::BytesPerLane);
    Field("base", &MemoryAccess::Base);
    Field("offset_bytes", &MemoryAccess::OffsetBytes);
    Field("shared_base", &MemoryAccess::SharedBase);
    Field("shared_offset_bytes", &MemoryAccess::SharedOffsetBytes);
    Field("bulk", &MemoryAccess::Bulk);
    Field("rank", &MemoryAccess::Rank);
    Field("bytes_operand", &MemoryAccess::BytesOperand);
    Field("width_assumed", &MemoryAccess::WidthAssumed);
    Field("non_coherent", &MemoryAccess::NonCoherent);
    Field("volatile", &MemoryAccess::Volatile);
    Field("acquires", &MemoryAccess::Acquires);
    Field("sign_extended_to", &MemoryAccess::SignExtendedTo);
    Field("address_lanes", &MemoryAccess::AddressLanes);
    Field("stored", &MemoryAccess::Stored);
    Field("atomic_op", &MemoryAccess::AtomicOp);
    Field("on_floats", &MemoryAccess::OnFloats);
    Field("combining", &MemoryAccess::Combining);
  }
};

template <> struct JSONFields<gpuocc::Branch> {
  template <typename V> static void visit(V &&Field) {
    Field("op", &gpuocc::Branch::Op);
    Field("block", &gpuocc::Branch::Block);
    Field("condition", &gpuocc::Branch::Condition);
    Field("negated", &gpuocc::Branch::Negated);
    Field("indexed", &gpuocc::Branch::Indexed);
    Field("targets", &gpuocc::Branch::Targets);
    Field("taken_prior", &gpuocc::Branch::TakenPrior);
    Field("prior_reason", &gpuocc::Branch::PriorReason);
    Field("prior_by", &gpuocc::Branch::PriorBy);
  }
};

template <> struct JSONFields<gpuocc::BasicBlock> {
  template <typename V> static void visit(V &&Field) {
    Field("name", &gpuocc::BasicBlock::Name);
    Field("first_op", &gpuocc::BasicBlock::FirstOp);
    Field("ops", &gpuocc::BasicBlock::NumOps);
    Field("successors", &gpuocc::BasicBlock::Successors);
    Field("branch", &gpuocc::BasicBlock::Branch);
    Field("loop", &gpuocc::BasicBlock::Loop);
    Field("post_dominator", &gpuocc::BasicBlock::PostDominator);
    Field("predicated_into", &gpuocc::BasicBlock::PredicatedInto);
  }
};

template <> struct JSONFields<gpuocc::Loop> {
  template <typename V> static void visit(V &&Field) {
    Field("header", &gpuocc::Loop::Header);
    Field("parent", &gpuocc::Loop::Parent);
    Field("depth", &gpuocc::Loop::Depth);
    Field("blocks", &gpuocc::Loop::Blocks);
    Field("latches", &gpuocc::Loop::Latches);
    Field("location", &gpuocc::Loop::Location);
    Field("no_unroll", &gpuocc::Loop::NoUnroll);
    Field("unrolled_by", &gpuocc::Loop::UnrolledBy);
  }
};

template <> struct JSONFields<Parameter> {
  template <typename V> static void visit(V &&Field) {
    Field("name", &Parameter::Name);
    Field("offset_bytes", &Parameter::OffsetBytes);
    Field("size_bytes", &Parameter::SizeBytes);
    Field("pointee_align_bytes", &Parameter::PointeeAlignBytes);
    Field("is_pointer", &Parameter::IsPointer);
    Field("is_float", &Parameter::IsFloat);
  }
};

template <> struct JSONFields<Symbol> {
  template <typename V> static void visit(V &&Field) {
    Field("name", &Symbol::Name);
    Field("space", &Symbol::Space);
    Field("size_bytes", &Symbol::SizeBytes);
    Field("align_bytes", &Symbol::AlignBytes);
    Field("offset_bytes", &Symbol::OffsetBytes);
    Field("is_dynamic_shared", &Symbol::IsDynamicShared);
    Field("contents", &Symbol::Contents);
    Field("is_read_only", &Symbol::IsReadOnly);
  }
};

template <> struct JSONFields<LaunchBounds> {
  template <typename V> static void visit(V &&Field) {
    Field("max_threads", &LaunchBounds::MaxThreads);
    Field("min_blocks_per_sm", &LaunchBounds::MinBlocksPerSm);
    Field("max_registers", &LaunchBounds::MaxRegisters);
    Field("required_block", &LaunchBounds::RequiredBlock);
    Field("cluster", &LaunchBounds::Cluster);
  }
};

template <> struct JSONFields<AssemblerAdvisory> {
  template <typename V> static void visit(V &&Field) {
    Field("code", &AssemblerAdvisory::Code);
    Field("text", &AssemblerAdvisory::Text);
    Field("place", &AssemblerAdvisory::Place);
  }
};

template <> struct JSONFields<ResourceUse> {
  template <typename V> static void visit(V &&Field) {
    Field("registers_per_thread", &ResourceUse::RegistersPerThread);
    Field("source", &ResourceUse::Source);
    Field("is_estimate", &ResourceUse::IsEstimate);
    Field("stack_bytes", &ResourceUse::StackBytes);
    Field("spill_store_bytes", &ResourceUse::SpillStoreBytes);
    Field("spill_load_bytes", &ResourceUse::SpillLoadBytes);
    Field("spilled_at_once_bytes", &ResourceUse::SpilledAtOnceBytes);
    Field("advisories", &ResourceUse::Advisories);
    Field("barriers", &ResourceUse::Barriers);
    Field("register_limit", &ResourceUse::RegisterLimit);
  }
};

template <> struct JSONFields<AnalysisGap> {
  template <typename V> static void visit(V &&Field) {
    Field("location", &AnalysisGap::Location);
    Field("what", &AnalysisGap::What);
    Field("lacks_work", &AnalysisGap::LacksWork);
  }
};

template <> struct JSONFields<KernelFacts> {
  template <typename V> static void visit(V &&Field) {
    Field("name", &KernelFacts::Name);
    Field("demangled", &KernelFacts::Demangled);
    Field("architecture", &KernelFacts::Architecture);
    Field("view", &KernelFacts::View);
    Field("built_by", &KernelFacts::BuiltBy);
    Field("place", &KernelFacts::Place);
    Field("bounds", &KernelFacts::Bounds);
    Field("parameters", &KernelFacts::Parameters);
    Field("symbols", &KernelFacts::Symbols);
    Field("static_shared_bytes", &KernelFacts::StaticSharedBytes);
    Field("uses_dynamic_shared", &KernelFacts::UsesDynamicShared);
    Field("resources", &KernelFacts::Resources);
    Field("limited_resources", &KernelFacts::LimitedResources);
    Field("locations", &KernelFacts::Locations);
    Field("operations", &KernelFacts::Operations);
    Field("blocks", &KernelFacts::Blocks);
    Field("loops", &KernelFacts::Loops);
    Field("accesses", &KernelFacts::Accesses);
    Field("branches", &KernelFacts::Branches);
    Field("gaps", &KernelFacts::Gaps);
  }
};

} // namespace gpuocc

#endif // GPUOCC_LIB_KERNEL_FACTSFIELDS_H

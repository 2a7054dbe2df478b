//===- LaunchJSON.cpp - Launches and profiles to JSON and back ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/JSON.h"
#include "gpuocc/Support/JSONFields.h"

using namespace gpuocc;
using namespace llvm;

namespace gpuocc {

template <> struct JSONWords<Exactness> {
  static constexpr unsigned Count = unsigned(Exactness::Unknown) + 1;
  static StringRef text(Exactness E) { return exactnessText(E); }
};

template <> struct JSONWords<TripBasis> {
  static constexpr unsigned Count = unsigned(TripBasis::Guessed) + 1;
  static StringRef text(TripBasis B) { return tripBasisText(B); }
};

template <> struct JSONWords<BranchClass> {
  static constexpr unsigned Count = unsigned(BranchClass::DataDependent) + 1;
  static StringRef text(BranchClass C) { return branchClassText(C); }
};

template <> struct JSONFields<LaunchOrigin> {
  static json::Value text(const LaunchOrigin &O) {
    return json::fixUTF8(O.text());
  }
  static bool parse(StringRef Text, LaunchOrigin &O) {
    O = LaunchOrigin(Text.str());
    return true;
  }
};

template <typename T> struct JSONFields<Sourced<T>> {
  template <typename V> static void visit(V &&Field) {
    Field("value", &Sourced<T>::Value);
    Field("source", &Sourced<T>::Source);
  }
};

template <> struct JSONFields<Dim3> {
  template <typename V> static void visit(V &&Field) {
    Field("x", &Dim3::X);
    Field("y", &Dim3::Y);
    Field("z", &Dim3::Z);
  }
};

template <> struct JSONFields<ScalarArgument> {
  template <typename V> static void visit(V &&Field) {
    Field("integer", &ScalarArgument::Integer);
    Field("real", &ScalarArgument::Real);
    Field("is_real", &ScalarArgument::IsReal);
  }
};

template <> struct JSONFields<LaunchNote> {
  template <typename V> static void visit(V &&Field) {
    Field("what", &LaunchNote::What);
    Field("said", &LaunchNote::Said);
    Field("why", &LaunchNote::Why);
  }
};

template <> struct JSONFields<HostAllowance> {
  template <typename V> static void visit(V &&Field) {
    Field("cooperative", &HostAllowance::IsCooperative);
    Field("may_raise_shared", &HostAllowance::MayRaiseShared);
    Field("may_raise_cluster", &HostAllowance::MayRaiseCluster);
  }
};

template <> struct JSONFields<Launch> {
  template <typename V> static void visit(V &&Field) {
    Field("block", &Launch::Block);
    Field("grid", &Launch::Grid);
    Field("dynamic_shared_bytes", &Launch::DynamicSharedBytes);
    Field("cluster", &Launch::Cluster);
    Field("carveout_percent", &Launch::CarveoutPercent);
    Field("allowed", &Launch::Allowed);
    Field("launches_in_loop", &Launch::LaunchesInLoop);
    Field("arguments", &Launch::Arguments);
    Field("members", &Launch::Members);
    Field("struct_bytes", &Launch::StructBytes);
    Field("memory", &Launch::Memory);
    Field("array_bytes", &Launch::ArrayBytes);
    Field("host_memory", &Launch::HostMemory);
    Field("pointer_alignment", &Launch::PointerAlignment);
    Field("trip_counts", &Launch::TripCounts);
    Field("places", &Launch::DistinctAddresses);
    Field("odds", &Launch::BranchProbabilities);
    Field("notes", &Launch::Notes);
  }
};

template <> struct JSONFields<BlockProfile> {
  template <typename V> static void visit(V &&Field) {
    Field("executions_per_warp", &BlockProfile::ExecutionsPerWarp);
    Field("active_lane_fraction", &BlockProfile::ActiveLaneFraction);
  }
};

template <> struct JSONFields<AccessProfile> {
  template <typename V> static void visit(V &&Field) {
    using A = AccessProfile;
    Field("executions_per_warp", &A::ExecutionsPerWarp);
    Field("requests_per_warp", &A::RequestsPerWarp);
    Field("active_lanes", &A::ActiveLanes);
    Field("sectors_per_request", &A::SectorsPerRequest);
    Field("ideal_sectors_per_request", &A::IdealSectorsPerRequest);
    Field("lines_per_request", &A::LinesPerRequest);
    Field("wavefronts_per_request", &A::WavefrontsPerRequest);
    Field("ideal_wavefronts_per_request", &A::IdealWavefrontsPerRequest);
    Field("distinct_addresses_per_request", &A::DistinctAddressesPerRequest);
    Field("lanes_per_address", &A::LanesPerAddress);
    Field("turns_per_request", &A::SerializedPasses);
    Field("other_blocks_sectors_per_request", &A::OtherBlocksSectorsPerRequest);
    Field("other_blocks_lines_per_request", &A::OtherBlocksLinesPerRequest);
    Field("drawn_places", &A::DrawnAddresses);
    Field("in_order", &A::IsInOrder);
    Field("lane_stride_bytes", &A::LaneStrideBytes);
    Field("exactness", &A::Exact);
    Field("reason", &A::Reason);
    Field("pattern", &A::Pattern);
    Field("l1_hit_fraction", &A::L1HitFraction);
    Field("l2_hit_fraction", &A::L2HitFraction);
    Field("asked_again_fraction", &A::AskedAgainFraction);
    Field("l1_wait_fraction", &A::L1WaitFraction);
    Field("l1_waits_by_request", &A::L1WaitsByRequest);
    Field("awaits_other_fraction", &A::AwaitsOtherFraction);
    Field("awaited_access", &A::AwaitedAccess);
    Field("l2_wait_fraction", &A::L2WaitFraction);
    Field("fetched_along_fraction", &A::FetchedAlongFraction);
    Field("line_visit_fraction", &A::LineVisitFraction);
    Field("visits_fetched_along_fraction", &A::VisitsFetchedAlongFraction);
    Field("merged_store_fraction", &A::MergedStoreFraction);
    Field("reuse_reason", &A::ReuseReason);
    Field("grid_sectors", &A::GridSectors);
    Field("grid_span_bytes", &A::GridSpanBytes);
    Field("wave_sectors", &A::WaveSectors);
    Field("wave_span_bytes", &A::WaveSpanBytes);
    Field("host_memory", &A::IsHostMemory);
    Field("written_line_bytes", &A::WrittenLineBytes);
    Field("loaded_fraction", &A::LoadedFraction);
    Field("rest_fetched_fraction", &A::RestFetchedFraction);
    Field("blocks_per_line", &A::BlocksPerLine);
  }
};

template <> struct JSONFields<BranchProfile> {
  template <typename V> static void visit(V &&Field) {
    using B = BranchProfile;
    Field("executions_per_warp", &B::ExecutionsPerWarp);
    Field("divergent_fraction", &B::DivergentFraction);
    Field("taken_lane_fraction", &B::TakenLaneFraction);
    Field("class", &B::Class);
    Field("exactness", &B::Exact);
    Field("reason", &B::Reason);
  }
};

template <> struct JSONFields<LoopProfile> {
  template <typename V> static void visit(V &&Field) {
    Field("trip_count", &LoopProfile::TripCount);
    Field("lane_balance", &LoopProfile::LaneBalance);
    Field("exactness", &LoopProfile::Exact);
    Field("reason", &LoopProfile::Reason);
    Field("basis", &LoopProfile::Basis);
  }
};

template <> struct JSONFields<WarpSample> {
  template <typename V> static void visit(V &&Field) {
    Field("block_index", &WarpSample::BlockIndex);
    Field("warp_in_block", &WarpSample::WarpInBlock);
    Field("weight", &WarpSample::Weight);
    Field("weight_of_turn", &WarpSample::WeightOfTurn);
    Field("block_executions", &WarpSample::BlockExecutions);
    Field("request_shares", &WarpSample::RequestShares);
  }
};

template <> struct JSONFields<Assumption> {
  template <typename V> static void visit(V &&Field) {
    Field("what", &Assumption::What);
    Field("taken", &Assumption::Taken);
    Field("how_to_supply", &Assumption::HowToSupply);
    Field("location", &Assumption::Location);
    Field("guessed_by", &Assumption::GuessedBy);
    Field("evidence", &Assumption::Evidence);
  }
};

template <> struct JSONFields<BranchProbabilityProfile> {
  template <typename V> static void visit(V &&Field) {
    Field("place", &BranchProbabilityProfile::Place);
    Field("line", &BranchProbabilityProfile::Line);
    Field("share", &BranchProbabilityProfile::Share);
    Field("instructions_per_warp",
          &BranchProbabilityProfile::InstructionsPerWarp);
    Field("otherwise_ns", &BranchProbabilityProfile::OtherwiseNs);
    Field("decides", &BranchProbabilityProfile::Decides);
  }
};

template <> struct JSONFields<ExecutionProfile> {
  template <typename V> static void visit(V &&Field) {
    using E = ExecutionProfile;
    Field("blocks", &E::Blocks);
    Field("accesses", &E::Accesses);
    Field("branches", &E::Branches);
    Field("loops", &E::Loops);
    Field("samples", &E::Samples);
    Field("assumptions", &E::Assumptions);
    Field("odds", &E::BranchProbabilities);
    Field("footprint_read_bytes", &E::FootprintReadBytes);
    Field("footprint_written_bytes", &E::FootprintWrittenBytes);
  }
};

} // namespace gpuocc

json::Value gpuocc::toJSON(const Launch &L) { return encodeFields(L); }

bool gpuocc::fromJSON(const json::Value &J, Launch &L, json::Path P) {
  return decodeFields(J, L, P);
}

void gpuocc::writeJSON(json::OStream &J, const ExecutionProfile &Profile) {
  writeFields(J, Profile);
}

json::Value gpuocc::toJSON(const ExecutionProfile &Profile) {
  return encodeFields(Profile);
}

bool gpuocc::fromJSON(const json::Value &J, ExecutionProfile &Profile,
                      json::Path P) {
  return decodeFields(J, Profile, P);
}

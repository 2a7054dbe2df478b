//===- JSON.cpp - Reports to JSON and back --------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/JSON.h"
#include "gpuocc/Kernel/JSON.h"
#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Support/SupportFields.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

namespace gpuocc {

template <> struct JSONWords<DiagnosisCause> {
  static constexpr unsigned Count = unsigned(LastDiagnosisCause) + 1;
  static StringRef text(DiagnosisCause C) { return diagnosisCauseKey(C); }
};

template <> struct JSONWords<OccupancyLimiter> {
  static constexpr unsigned Count = NumOccupancyLimiters;
  static StringRef text(OccupancyLimiter L) { return occupancyLimiterKey(L); }
};

template <> struct JSONWords<RuleId> {
  static constexpr unsigned Count = NumRules;
  static StringRef text(RuleId R) { return ruleName(R); }
};

template <> struct JSONWords<RemarkKind> {
  static constexpr unsigned Count = unsigned(RemarkKind::Missed) + 1;
  static StringRef text(RemarkKind K) { return remarkKindKey(K); }
};

template <> struct JSONWords<Exactness> {
  static constexpr unsigned Count = unsigned(Exactness::Unknown) + 1;
  static StringRef text(Exactness E) { return exactnessText(E); }
};

template <> struct JSONFields<BoundTerm> {
  template <typename V> static void visit(V &&Field) {
    Field("what", &BoundTerm::What);
    Field("count_per_warp", &BoundTerm::CountPerWarp);
    Field("cycles_each", &BoundTerm::CyclesEach);
  }
};

template <> struct JSONFields<Bound> {
  template <typename V> static void visit(V &&Field) {
    Field("resource", &Bound::What);
    Field("cycles_per_warp", &Bound::CyclesPerWarp);
    Field("terms", &Bound::Terms);
  }
};

template <> struct JSONFields<LatencyStep> {
  template <typename V> static void visit(V &&Field) {
    Field("op", &LatencyStep::Op);
    Field("issue_cycle", &LatencyStep::IssueCycle);
    Field("cycles_total", &LatencyStep::CyclesTotal);
    Field("why", &LatencyStep::Why);
  }
};

template <> struct JSONFields<LatencyBound> {
  template <typename V> static void visit(V &&Field) {
    Field("cycles_per_warp", &LatencyBound::CyclesPerWarp);
    Field("barrier_cycles", &LatencyBound::BarrierCycles);
    Field("replacement_cycles", &LatencyBound::ReplacementCycles);
    Field("path", &LatencyBound::Path);
  }
};

template <> struct JSONFields<CurvePoint> {
  template <typename V> static void visit(V &&Field) {
    Field("warps", &CurvePoint::Warps);
    Field("warps_per_cycle", &CurvePoint::WarpsPerCycle);
  }
};

template <> struct JSONFields<NeededWarps> {
  template <typename V> static void visit(V &&Field) {
    Field("p90", &NeededWarps::P90);
    Field("p95", &NeededWarps::P95);
    Field("p99", &NeededWarps::P99);
    Field("linear", &NeededWarps::Linear);
  }
};

template <> struct JSONFields<TimeEstimate> {
  template <typename V> static void visit(V &&Field) {
    Field("ns", &TimeEstimate::Ns);
    Field("waves", &TimeEstimate::Waves);
    Field("launch_ns", &TimeEstimate::LaunchNs);
    Field("tail_ns", &TimeEstimate::TailNs);
  }
};

template <> struct JSONFields<TimeInterval> {
  template <typename V> static void visit(V &&Field) {
    Field("low_ns", &TimeInterval::LowNs);
    Field("high_ns", &TimeInterval::HighNs);
    Field("coverage", &TimeInterval::Coverage);
    Field("depends_on", &TimeInterval::DependsOn);
  }
};

template <> struct JSONFields<ClassCount> {
  template <typename V> static void visit(V &&Field) {
    Field("class", &ClassCount::Class);
    Field("per_warp", &ClassCount::PerWarp);
  }
};

template <> struct JSONFields<Diagnosis> {
  template <typename V> static void visit(V &&Field) {
    Field("unit", &Diagnosis::Unit);
    Field("cause", &Diagnosis::Cause);
    Field("share", &Diagnosis::Share);
    Field("launch_known", &Diagnosis::LaunchKnown);
  }
};

template <> struct JSONFields<Prediction> {
  template <typename V> static void visit(V &&Field) {
    using P = Prediction;
    Field("warps_per_sm", &P::WarpsPerSm);
    Field("blocks_per_sm", &P::BlocksPerSm);
    Field("occupancy_fraction", &P::OccupancyFraction);
    Field("occupancy_limiter", &P::Limiter);
    Field("active_warps_per_sm", &P::ActiveWarpsPerSm);
    Field("mix", &P::Mix);
    Field("instructions_per_warp", &P::InstructionsPerWarp);
    Field("bounds", &P::Bounds);
    Field("latency", &P::Latency);
    Field("busy", &P::Busy);
    Field("diagnosis", &P::Diagnosed);
    Field("near_bound", &P::NearBound);
    Field("needed", &P::Needed);
    Field("curve", &P::Curve);
    Field("warps_per_cycle", &P::WarpsPerCycle);
    Field("time", &P::Time);
    Field("interval", &P::Interval);
    Field("l2_bytes_per_warp", &P::L2BytesPerWarp);
    Field("dram_read_bytes_per_warp", &P::DramReadBytesPerWarp);
    Field("dram_write_bytes_per_warp", &P::DramWriteBytesPerWarp);
    Field("borrowed", &P::Borrowed);
  }
};

template <> struct JSONFields<Evidence> {
  template <typename V> static void visit(V &&Field) {
    Field("key", &Evidence::Key);
    Field("text", &Evidence::Text);
    Field("record_only", &Evidence::RecordOnly);
  }
};

template <> struct JSONFields<TextChange> {
  template <typename V> static void visit(V &&Field) {
    Field("line", &TextChange::Line);
    Field("column", &TextChange::Column);
    Field("end_line", &TextChange::EndLine);
    Field("end_column", &TextChange::EndColumn);
    Field("text", &TextChange::Text);
  }
};

template <> struct JSONFields<SourceEdit> {
  template <typename V> static void visit(V &&Field) {
    Field("file", &SourceEdit::File);
    Field("title", &SourceEdit::Title);
    Field("changes", &SourceEdit::Changes);
    Field("diff", &SourceEdit::Diff);
    Field("gain", &SourceEdit::Gain);
    Field("price", &SourceEdit::Price);
  }
};

template <> struct JSONFields<Finding> {
  template <typename V> static void visit(V &&Field) {
    Field("rule", &Finding::Rule);
    Field("location", &Finding::Location);
    Field("remark", &Finding::Remark);
    Field("message", &Finding::Message);
    Field("gain", &Finding::Gain);
    Field("bound_after", &Finding::BoundAfter);
    Field("exactness", &Finding::Exact);
    Field("access", &Finding::Access);
    Field("branch", &Finding::Branch);
    Field("edit", &Finding::Edit);
  }
};

template <> struct JSONFields<PlanStep> {
  template <typename V> static void visit(V &&Field) {
    Field("rule", &PlanStep::Rule);
    Field("location", &PlanStep::Location);
    Field("what", &PlanStep::What);
    Field("time_ns", &PlanStep::TimeNs);
    Field("gain", &PlanStep::Gain);
    Field("bound_after", &PlanStep::BoundAfter);
  }
};

template <> struct JSONFields<PlanCeiling> {
  template <typename V> static void visit(V &&Field) {
    Field("unit", &PlanCeiling::Unit);
    Field("time_ns", &PlanCeiling::TimeNs);
  }
};

template <> struct JSONFields<Plan> {
  template <typename V> static void visit(V &&Field) {
    Field("before_ns", &Plan::BeforeNs);
    Field("steps", &Plan::Steps);
    Field("ceiling", &Plan::Ceiling);
  }
};

template <> struct JSONFields<SweepPoint> {
  template <typename V> static void visit(V &&Field) {
    Field("elements", &SweepPoint::Elements);
    Field("grid_x", &SweepPoint::GridX);
    Field("grid_y", &SweepPoint::GridY);
    Field("time_ns", &SweepPoint::TimeNs);
  }
};

template <> struct JSONFields<SizeSweep> {
  template <typename V> static void visit(V &&Field) {
    Field("sizes", &SizeSweep::Sizes);
    Field("dimensions", &SizeSweep::Dimensions);
    Field("strides", &SizeSweep::Strides);
    Field("points", &SizeSweep::Points);
  }
};

template <> struct JSONFields<KernelReport> {
  template <typename V> static void visit(V &&Field) {
    Field("facts", &KernelReport::Facts);
    Field("launch", &KernelReport::Launched);
    Field("profile", &KernelReport::Profile);
    Field("prediction", &KernelReport::Predicted);
    Field("rates", &KernelReport::Achieved);
    Field("roofline", &KernelReport::OnRoofline);
    Field("parallelism", &KernelReport::InParallel);
    Field("occupancy_roofline", &KernelReport::OverOccupancy);
    Field("device", &KernelReport::Device);
    Field("device_basis", &KernelReport::DeviceBasis);
    Field("findings", &KernelReport::Findings);
    Field("suppressed", &KernelReport::Suppressed);
    Field("plan", &KernelReport::Planned);
    Field("over_sizes", &KernelReport::OverSizes);
  }
};

} // namespace gpuocc

json::Value gpuocc::toJSON(const Prediction &P) { return encodeFields(P); }
json::Value gpuocc::toJSON(const Finding &F) { return encodeFields(F); }
json::Value gpuocc::toJSON(const KernelReport &R) { return encodeFields(R); }

void gpuocc::writeJSON(json::OStream &J, const KernelReport &R) {
  writeFields(J, R);
}

void gpuocc::writeJSON(json::OStream &J, const Report &R) {
  auto Write = [&](StringRef Key, ArrayRef<KernelReport> Kernels) {
    J.attributeArray(Key, [&] {
      for (const KernelReport &K : Kernels)
        J.object([&] {
          J.attributeBegin("data");
          writeJSON(J, K);
          J.attributeEnd();
        });
    });
  };
  J.object([&] {
    J.attribute("schema_version", R.SchemaVersion);
    J.attribute("data_version", ReportDataVersion);
    J.attribute("tool", json::fixUTF8(R.Tool));
    Write("kernels", R.Kernels);
    Write("cannot_run", R.Refused);
  });
}

bool gpuocc::fromJSON(const json::Value &J, Prediction &Out, json::Path P) {
  return decodeFields(J, Out, P);
}

bool gpuocc::fromJSON(const json::Value &J, Finding &Out, json::Path P) {
  return decodeFields(J, Out, P);
}

bool gpuocc::fromJSON(const json::Value &J, KernelReport &Out, json::Path P) {
  return decodeFields(J, Out, P);
}

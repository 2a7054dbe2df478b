//===- DeviceModel.cpp - What one GPU can do ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/DeviceModel.h"

using namespace gpuocc;
using namespace llvm;

template <typename Map, typename Key>
static const typename Map::mapped_type *lookup(const Map &M, const Key &K) {
  auto It = M.find(K);
  return It == M.end() ? nullptr : &It->second;
}

static Known<double> valueOr(const Number *N, const DeviceModel &Device,
                             const Twine &Key) {
  if (N)
    return N->Value;
  return Known<double>::unknown(
      ("device '" + Device.Name + "' has no " + Key).str());
}

const Number *DeviceModel::find(Quantity Q) const {
  return lookup(Quantities, Q);
}

const InstTiming *DeviceModel::timing(InstClass Class) const {
  return lookup(Instructions, Class);
}

const Number *DeviceModel::find(InstClass Class, TimingField Field) const {
  const InstTiming *Timing = timing(Class);
  if (!Timing)
    return nullptr;
  const std::optional<Number> &N = timingField(*Timing, Field);
  return N ? &*N : nullptr;
}

const ContentionFit *DeviceModel::contention(StringRef Level) const {
  return lookup(Contention, Level.str());
}

const DeviceTable *DeviceModel::table(StringRef TableName) const {
  return lookup(Tables, TableName.str());
}

Known<double> DeviceModel::get(Quantity Q) const {
  const QuantityInfo &Info = quantityInfo(Q);
  return valueOr(find(Q), *this,
                 quantitySectionKey(Info.Section) + "." + Info.Key);
}

Known<double> DeviceModel::get(InstClass Class, TimingField Field) const {
  return valueOr(find(Class, Field), *this,
                 timingFieldKey(Field) + " of " + instClassKey(Class));
}

void DeviceModel::forEachPair(
    function_ref<void(const Dependence &, double)> Do) const {
  std::map<Dependence, double> Others;
  for (const auto &[D, N] : Dependences)
    Others.emplace_hint(Others.end(), D, N.Value);
  const DeviceTable *Table = table(CrossClassLatencyTable);
  if (Table && !Table->Columns.empty()) {
    std::vector<std::optional<Dependence>> Consumers;
    for (const std::string &Column : Table->Columns)
      Consumers.push_back(parseConsumer(Column));
    for (const std::vector<json::Value> &Row : Table->Rows) {
      std::optional<InstClass> Producer =
          parseInstClass(Row.front().getAsString().value_or(""));
      for (size_t I = 1; Producer && I < Row.size(); ++I)
        if (std::optional<double> Cell = Row[I].getAsNumber();
            Cell && Consumers[I] && Consumers[I]->Consumer != *Producer) {
          const Dependence D{*Producer, Consumers[I]->Consumer,
                             Consumers[I]->Use};
          Others.erase(D);
          Do(D, *Cell);
        }
    }
  }
  for (const auto &[D, Latency] : Others)
    Do(D, Latency);
}

Known<double> DeviceModel::latency(InstClass Producer, InstClass Consumer,
                                   OperandUse Use) const {
  if (const Number *N =
          lookup(Dependences, Dependence{Producer, Consumer, Use}))
    return N->Value;
  return get(Producer, TimingField::LatencyCycles);
}

Resource DeviceModel::pipe(InstClass Class) const {
  const InstTiming *Timing = timing(Class);
  return Timing ? Timing->Pipe : defaultPipe(Class);
}

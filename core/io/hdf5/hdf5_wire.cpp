#include "core/io/hdf5/hdf5_wire.hpp"

namespace aprscope {
namespace {

void put(ByteWriter& out, const Hdf5Type& type) {
  out.number(static_cast<std::uint8_t>(type.kind), 1);
  out.number(type.size, 4);
  out.number(static_cast<std::uint64_t>(type.is_signed) | std::uint64_t{type.big_endian} << 1U |
                 std::uint64_t{type.ieee} << 2U | std::uint64_t{type.variable} << 3U,
             1);
  out.number(type.precision, 4);
  out.number(type.offset, 4);
}

void get(ByteReader& in, Hdf5Type& type) {
  const std::uint64_t kind = in.number(1);
  type.kind = kind <= static_cast<std::uint64_t>(Hdf5Kind::other) ? static_cast<Hdf5Kind>(kind)
                                                                  : Hdf5Kind::other;
  type.size = static_cast<std::uint32_t>(in.number(4));
  const std::uint64_t flags = in.number(1);
  type.is_signed = (flags & 1U) != 0;
  type.big_endian = (flags & 2U) != 0;
  type.ieee = (flags & 4U) != 0;
  type.variable = (flags & 8U) != 0;
  type.precision = static_cast<std::uint32_t>(in.number(4));
  type.offset = static_cast<std::uint32_t>(in.number(4));
}

void put_bytes(ByteWriter& out, const std::vector<std::uint8_t>& bytes) {
  out.number(bytes.size(), 8);
  out.append(bytes);
}

void get_bytes(ByteReader& in, std::vector<std::uint8_t>& bytes) {
  const auto taken = in.take(in.count(1));
  bytes.assign(taken.begin(), taken.end());
}

void put(ByteWriter& out, const Hdf5Selection& s) {
  for (const auto* list : {&s.start, &s.stride, &s.count, &s.block}) aprscope::put(out, *list);
}

void get(ByteReader& in, Hdf5Selection& s) {
  for (auto* list : {&s.start, &s.stride, &s.count, &s.block}) aprscope::get(in, *list);
}

}  // namespace

void put(ByteWriter& out, const std::vector<std::uint64_t>& numbers) {
  out.number(numbers.size(), 8);
  for (const std::uint64_t n : numbers) out.number(n, 8);
}

void get(ByteReader& in, std::vector<std::uint64_t>& numbers) {
  numbers.resize(in.count(8));
  for (std::uint64_t& n : numbers) n = in.number(8);
}

void put(ByteWriter& out, const std::vector<Hdf5Child>& children) {
  out.number(children.size(), 8);
  for (const Hdf5Child& child : children) {
    out.text(child.name);
    out.number(static_cast<std::uint8_t>(child.kind), 1);
    out.number(child.address, 8);
    put(out, child.type);
    put(out, child.extent);
  }
}

void get(ByteReader& in, std::vector<Hdf5Child>& children) {
  children.resize(in.count(4 + 1 + 8 + 14 + 8));
  for (Hdf5Child& child : children) {
    child.name = in.text();
    const std::uint64_t kind = in.number(1);
    child.kind = kind <= static_cast<std::uint64_t>(Hdf5ObjectKind::unreadable)
                     ? static_cast<Hdf5ObjectKind>(kind)
                     : Hdf5ObjectKind::unreadable;
    child.address = in.number(8);
    get(in, child.type);
    get(in, child.extent);
  }
}

void put(ByteWriter& out, const Hdf5Dataset& d) {
  put(out, d.type);
  put(out, d.extent);
  out.number(static_cast<std::uint8_t>(d.storage), 1);
  out.number(d.stored, 8);
  put_bytes(out, d.fill);
  put_bytes(out, d.compact);
  out.number(d.address, 8);
  put(out, d.chunk);
  out.number(d.filters.size(), 8);
  for (const Hdf5Filter& filter : d.filters) {
    out.number(filter.id, 4);
    out.number(filter.values.size(), 8);
    for (const std::uint32_t value : filter.values) out.number(value, 4);
  }
  out.number(d.external.size(), 8);
  for (const Hdf5External& piece : d.external) {
    out.text(piece.file);
    out.number(piece.offset, 8);
    out.number(piece.bytes, 8);
  }
  out.number(d.mappings.size(), 8);
  for (const Hdf5Mapping& mapping : d.mappings) {
    out.text(mapping.file);
    out.text(mapping.dataset);
    put(out, mapping.here);
    put(out, mapping.there);
  }
}

void get(ByteReader& in, Hdf5Dataset& d) {
  get(in, d.type);
  get(in, d.extent);
  const std::uint64_t storage = in.number(1);
  d.storage = storage <= static_cast<std::uint64_t>(Hdf5Storage::mapped)
                  ? static_cast<Hdf5Storage>(storage)
                  : Hdf5Storage::elsewhere;
  d.stored = in.number(8);
  get_bytes(in, d.fill);
  get_bytes(in, d.compact);
  d.address = in.number(8);
  get(in, d.chunk);
  d.filters.resize(in.count(12));
  for (Hdf5Filter& filter : d.filters) {
    filter.id = static_cast<std::uint32_t>(in.number(4));
    filter.values.resize(in.count(4));
    for (std::uint32_t& value : filter.values) value = static_cast<std::uint32_t>(in.number(4));
  }
  d.external.resize(in.count(20));
  for (Hdf5External& piece : d.external) {
    piece.file = in.text();
    piece.offset = in.number(8);
    piece.bytes = in.number(8);
  }
  d.mappings.resize(in.count(72));
  for (Hdf5Mapping& mapping : d.mappings) {
    mapping.file = in.text();
    mapping.dataset = in.text();
    get(in, mapping.here);
    get(in, mapping.there);
  }
}

void put(ByteWriter& out, const std::vector<Hdf5Attribute>& attributes) {
  out.number(attributes.size(), 8);
  for (const Hdf5Attribute& attribute : attributes) {
    out.text(attribute.name);
    out.text(attribute.wrong);
    put(out, attribute.type);
    out.number(attribute.count, 8);
    put_bytes(out, attribute.values);
  }
}

void get(ByteReader& in, std::vector<Hdf5Attribute>& attributes) {
  attributes.resize(in.count(4 + 4 + 14 + 8 + 8));
  for (Hdf5Attribute& attribute : attributes) {
    attribute.name = in.text();
    attribute.wrong = in.text();
    get(in, attribute.type);
    attribute.count = in.number(8);
    get_bytes(in, attribute.values);
  }
}

void put(ByteWriter& out, const std::vector<Hdf5Place>& places) {
  out.number(places.size(), 8);
  for (const Hdf5Place& place : places) {
    out.number(place.address, 8);
    out.number(place.bytes, 8);
    out.number(place.skipped, 4);
  }
}

void get(ByteReader& in, std::vector<Hdf5Place>& places) {
  places.resize(in.count(20));
  for (Hdf5Place& place : places) {
    place.address = in.number(8);
    place.bytes = in.number(8);
    place.skipped = static_cast<std::uint32_t>(in.number(4));
  }
}

}  // namespace aprscope

"""Writes the files of ParquetSourceTest with pyarrow 26.0.1, so that the reader is tested with another implementation."""

from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq

ROWS = range(5)


def column(value, type):
    """A column whose third value is null."""
    return pa.array([None if i == 2 else value(i) for i in ROWS], type)


def ticks(count):
    return pa.table({
        'price': pa.array([i / 4 for i in range(count)], pa.float64()),
        'id': pa.array(range(count), pa.int64()),
        'symbol': pa.array([None if i % 10 == 9 else 'S%d' % (i % 7) for i in range(count)])})


def write(name, table, **options):
    pq.write_table(table, name + '.parquet', store_schema=False, **options)


write('types', pa.table({
    'small': column(lambda i: i - 2, pa.int32()),
    'id': column(lambda i: 10 ** 12 + i, pa.int64()),
    'ratio': column(lambda i: i / 4, pa.float32()),
    'price': column(lambda i: i / 8, pa.float64()),
    'flag': column(lambda i: i % 2 == 1, pa.bool_()),
    'name': column(lambda i: ['', 'A', 'x', 'Zo\u00eb', 'x' * 300][i], pa.string()),
    'atMs': column(lambda i: 1700000000123 + i, pa.timestamp('ms', 'UTC')),
    'atUs': column(lambda i: 1700000000123456 + i, pa.timestamp('us', 'UTC')),
    'atNs': column(lambda i: 1700000000123456789 + i, pa.timestamp('ns', 'UTC')),
    'atLocal': column(lambda i: i - 1, pa.timestamp('us')),
    'day': column(lambda i: i - 1, pa.date32()),
    'amount': column(lambda i: Decimal(i - 3) / 100, pa.decimal128(30, 2)),
    'raw': column(lambda i: bytes([i, 255]), pa.binary()),
    'fixed': column(lambda i: bytes([i, 1, 2]), pa.binary(3)),
    'tags': pa.array([[i, i] for i in ROWS], pa.list_(pa.int64())),
    'place': pa.array([{'x': i} for i in ROWS], pa.struct([('x', pa.int64())])),
    'words': pa.array([[('k', i)] for i in ROWS], pa.map_(pa.string(), pa.int64())),
    'time': pa.array(list(ROWS), pa.time64('us')),
    'unsigned': pa.array(list(ROWS), pa.uint32())}), row_group_size=2, version='2.6')
write('older', pa.table({
    'old': column(lambda i: 1700000000123456789 + i, pa.timestamp('ns')),
    'd32': column(lambda i: Decimal(i - 3) / 100, pa.decimal128(9, 2)),
    'd64': column(lambda i: Decimal(i - 3) / 1000, pa.decimal128(18, 3))}),
    use_deprecated_int96_timestamps=True, store_decimal_as_integer=True)
for codec in ['none', 'snappy', 'zstd', 'gzip', 'lz4', 'brotli']:
    write('ticks-' + codec, ticks(100), compression=codec)
write('encodings', ticks(300), data_page_version='2.0', use_dictionary=False, compression='zstd', data_page_size=200,
    write_batch_size=50, column_encoding={
        'id': 'DELTA_BINARY_PACKED', 'symbol': 'DELTA_BYTE_ARRAY', 'price': 'BYTE_STREAM_SPLIT'})
write('pages', ticks(3000), row_group_size=1300, data_page_size=800, write_batch_size=100, compression='snappy',
    write_page_checksum=True, use_dictionary=['symbol'])
write('text-price', pa.table({'id': pa.array([1], pa.int64()), 'symbol': ['S'], 'price': ['x']}))

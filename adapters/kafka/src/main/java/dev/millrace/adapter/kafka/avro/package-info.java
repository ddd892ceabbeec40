/**
 * Values in the binary encoding of Avro: schemas from a file or a registry, and plans that read and write columns
 * without records of Avro. Callers: source and sink. Threads: plans belong to one thread; schemas are immutable.
 *
 * <pre>
 *  SchemaRegistry ─► Schema ─┬─► FieldReaders ─► RowReader ─► columns of a batch
 *  AvroSettings ─────────────┴─► RowEncoder ─► bytes
 * </pre>
 */
package dev.millrace.adapter.kafka.avro;

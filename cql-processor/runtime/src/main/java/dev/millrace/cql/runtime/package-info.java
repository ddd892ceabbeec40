/**
 * Runtime of compiled pipelines: the base of generated classes, state tables, lookup relations, rings between threads.
 * Depends only on the JDK and the platform API.
 *
 * <pre>
 *   source thread ─ EventBatch ─► SpscBatchRing ─ EventBatch ─► Pipeline (generated) ─ EventBatch ─► sink of a query
 *                                 (or no ring: the                │  ▲
 *                                  pipeline runs on               ▼  │
 *                                  the source's thread)   LookupRelation, LongSlotMap, RowSlotMap: state of one worker
 * </pre>
 *
 * <p>Callers: generated code and the processor stage. Threads: a pipeline, its relations and its tables belong to one
 * worker thread; a ring has one producer and one consumer; statistics may be read by any thread.
 */
package dev.millrace.cql.runtime;

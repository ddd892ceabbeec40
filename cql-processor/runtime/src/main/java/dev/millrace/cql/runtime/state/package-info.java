/**
 * The byte format of the state of engines and pipelines: {@code StateOutput} and {@code StateInput}, and how the fields
 * of a generated class are written.
 *
 * <pre>
 *   FlowEngine.write ──► UnitRunner ──► Unit: StateSchema ──► StateFields ──► fields, rings, StateParts ──► StateOutput
 *   CompiledFlow.instantiate(bindings, StateInput) ──► a new engine that continues from there
 *
 *   Pipeline.write(StateOutput, PartitionSelection) ──► generated code: key after key, each with its state
 *   Pipeline.read(StateInput) ──► a new pipeline, or one that already has other partitions
 *   Pipeline.forget(PartitionSelection) ──► later rows find nothing
 * </pre>
 *
 * <p>Format: a header with a version, then the parts one after another without names, then a checksum. All numbers are
 * little-endian. Each string is written once by value; further occurrences have its number. Positions, ids of keys and
 * indexes of rows are those of the writer, so that references to them need no translation. Codes of strings and objects
 * are not: they are written as values, and a reader assigns its own codes and retains them.
 *
 * <p>The state of a pipeline is ordered by key: the key's values, then the state of the key; rows of a window refer to
 * groups by their number. Some partitions can therefore be written alone and merged into existing state: rows of time
 * windows are merged by time. A key that already exists is refused, and so is a choice of partitions when an operator
 * does not store them separately. Copies of caches are not written: they follow their caches.
 *
 * <p>Each part begins with what identifies it: a unit or pipeline with the fingerprint of its class and constants.
 * State that cannot be written (an object of an unknown class, or of an application whose class is not a
 * {@code CheckpointedState}) is refused by name, never omitted. The reader of an engine's state must be new, and no
 * reader may be used after a failed read.
 *
 * <p>To make a structure writable, implement {@code StateHolder}, or {@code RingState} when its arrays follow a ring,
 * in the order of its fields. A field that a generator declares with {@code UnitSource.field} is written, one of ints
 * or longs with {@code UnitSource.numbers}, which promises that they are not codes; fields that are lent, derived or
 * caches are declared with {@code UnitSource.scratch}. An operator of a pipeline overrides {@code Stage.writeState} and
 * {@code Stage.writeForget}.
 *
 * <p>Callers: units, engines, and code that stores or moves state. Not thread-safe; state is written between batches.
 */
package dev.millrace.cql.runtime.state;

/**
 * The byte form of what engines and pipelines keep: {@code StateOutput} and {@code StateInput}, and how the fields of a
 * generated class go into it.
 *
 * <pre>
 *   FlowEngine.write ──► UnitSlot ──► Unit: StateShape ──► StateFields ──► fields, rings, StateParts ──► StateOutput
 *   CompiledFlow.instantiate(bindings, StateInput) ──► a new engine that goes on where that one was
 *
 *   Pipeline.write(StateOutput, PartitionChoice) ──► generated text: key after key, each with its state
 *   Pipeline.read(StateInput) ──► a new pipeline, or one that has other partitions already
 *   Pipeline.forget(PartitionChoice) ──► rows that come from now on find nothing
 * </pre>
 *
 * <p>The form: a head with version, then the parts one after the other without names, then a checksum. All numbers are
 * little-endian. Strings are there by value, each once; further places have its number. Positions, ids of keys and
 * places of rows are those of the writer, so that what refers to them need not know. Codes of strings and objects are
 * not: they go as values, and a reader takes codes of its own and holds them.
 *
 * <p>The state of a pipeline lies by key: the key's values, then what belongs to it; rows of a window refer to groups
 * by their number. So some partitions can be written alone, and put beside others: rows of windows of time are merged
 * by time. A key that is there already is refused, and so is a choice of partitions where a stage keeps them together.
 * Copies of caches are not written: they follow their caches.
 *
 * <p>Each part begins with what it needs to be recognised: a unit or pipeline with the fingerprint of its class and
 * constants. What cannot be written (an object of an unknown class, one of an application whose class is no
 * {@code CheckpointedState}) is refused with its name, never left out. The reader of an engine's state is new, and no
 * reader is of use when reading has failed.
 *
 * <p>To let a structure be written: implement {@code StatePart}, or {@code RingPart} where its arrays follow a ring, in
 * the order of its fields. A field that a generator declares with {@code UnitText.field} is written, one of ints or
 * longs with {@code UnitText.numbers}, which promises that they are no codes; what is lent, derived or remembered for
 * speed alone is declared with {@code UnitText.scratch}. A stage of a pipeline overrides {@code Stage.writeState} and
 * {@code Stage.writeForget}.
 *
 * <p>Who may call: units, engines, and whoever keeps or moves state. Threads: one at a time; state is written between
 * batches.
 */
package dev.millrace.cql.runtime.state;

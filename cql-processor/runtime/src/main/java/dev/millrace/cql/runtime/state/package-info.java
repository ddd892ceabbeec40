/**
 * The byte form of what engines keep: {@code StateOutput} and {@code StateInput}, and how the fields of a generated
 * class go into it.
 *
 * <pre>
 *   FlowEngine.write ──► UnitSlot ──► Unit: StateShape ──► StateFields ──► fields, rings, StateParts ──► StateOutput
 *   CompiledFlow.instantiate(bindings, StateInput) ──► a new engine that goes on where that one was
 * </pre>
 *
 * <p>The form: a head with version, then the parts one after the other without names, then a checksum. All numbers are
 * little-endian. Strings are there by value, each once; further places have its number. Positions, ids of keys and
 * places of rows are those of the writer, so that what refers to them need not know. Codes of strings and objects are
 * not: they go as values, and a reader takes codes of its own and holds them.
 *
 * <p>Each part begins with what it needs to be recognised: a unit with the fingerprint of its class and constants. What
 * cannot be written (an aggregate of a user, an object of an unknown class) is refused with its name, never left out.
 * A reader is new, and of no use when reading has failed; nobody else sees anything of it.
 *
 * <p>To let a structure be written: implement {@code StatePart}, or {@code RingPart} where its arrays follow a ring, in
 * the order of its fields. A field that a generator declares with {@code UnitText.field} is written; what is lent,
 * derived or remembered for speed alone is declared with {@code UnitText.scratch}.
 *
 * <p>Who may call: units, engines, and whoever keeps or moves state. Threads: one at a time; state is written between
 * batches.
 */
package dev.millrace.cql.runtime.state;

/**
 * State that survives the process: what the pipelines of a thread see is appended to a journal before they see it, and
 * a snapshot of their state, followed by the records after it, restores them.
 *
 * <pre>
 *   change of a cache ─► RecordedReplica ─┐
 *   batch ─► BatchRecorder ───────────────┴─► RecordWriter ─► journal      snapshot ─► instances, engines
 *                 └► pipelines and flows                                   journal ─► UnitReplay ─┘
 * </pre>
 *
 * <p>A unit is everything that one thread runs: a worker, or the pipelines on the thread of a source. It is
 * deterministic: the same records in the same order produce the same state and the same output rows. This package
 * contains what all units of a processor share; the package {@code unit} contains a single unit:
 *
 * <pre>
 *   DurableUnits ─► UnitSet ─► DurableUnit              units by name
 *                ─► NamedParts                          names of outputs, replicas, look-ups and states
 *                ─► ReceivedRows                        rows and keys that the groups of a channel have stored
 *                ─► UnitStates, UnitPositions           copies of the state for snapshots, positions for a standby
 *                ─► CurrentRules ─► StoredRules         rules to which the state belongs
 *   DurableChange ─► UnitChange                         change of the rules of all units, and of one
 * </pre>
 *
 * <p>Callers: the processor, when it starts and stops, and its routes.
 */
package dev.millrace.cql.processor.durable;

/**
 * One unit of a durable processor: everything that one thread runs. The unit appends rows, changes and answers to its
 * journal before its pipelines and flows process them; a replay of the journal passes the same to them again.
 *
 * <pre>
 *   DurableUnit ─► UnitGroups ─► BatchRecorder ─┐
 *               ─► UnitReplicas ────────────────┼─► RecordWriter ─► journal ─► UnitReplay ─┬► ReplayedGroup
 *               ─► UnitLookups ─────────────────┘                                          └► ReplayedAnswers
 *               ─► UnitState ─► snapshot
 *   UnitChange: all of them after a change of the rules
 * </pre>
 *
 * <p>Callers: the set of units of a processor, the change of its rules, and its routes, which call the recorders.
 */
package dev.millrace.cql.processor.durable.unit;

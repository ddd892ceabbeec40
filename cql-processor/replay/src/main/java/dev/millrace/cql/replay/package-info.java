/**
 * Plans applications outside of a server: validates them, compares versions, and runs the rules of a deployed
 * application over the records of a durable processor. The package {@code run} runs whole applications over files.
 *
 * <pre>
 *   bundle or project ─► ApplicationFiles ─► OfflineValidator ─► summary, or all problems
 *   applications/NAME ─► ApplicationFiles ─► OfflineApplication: the definition of the network, without its beans
 *                                                │
 *   changed rules ───────────────────────────────┴─► PlannedReplay ─► RecordedChannels: which record feeds which rule
 *                                                                        └─► UnitRules, one for each unit ─► output
 * </pre>
 *
 * <p>Caller: the command line, which reads the journals and formats the output. Confined to one thread. No adapter,
 * bean, loader or listener of the application is created; functions, aggregates and windows of its rules are.
 */
package dev.millrace.cql.replay;

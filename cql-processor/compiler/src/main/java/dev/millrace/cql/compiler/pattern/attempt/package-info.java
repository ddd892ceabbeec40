/**
 * Writes patterns whose attempts are records, as one class of Java text each.
 *
 * <pre>
 *   AttemptGenerator ─► AttemptClass: the text as it grows, AttemptWords: the records
 *      ├── AttemptInput                  rows of a batch, partitions
 *      ├── StepCode, AttemptConditions   the next position of an attempt
 *      ├── RegisterCode, RegisterUpdates what attempts remember; FunctionCode: of all rows
 *      ├── MeasureCode, QueueCode        rows of matches, rows that wait
 *      ├── WalkCode                      the attempts of a partition, one after the other
 *      └── TimerCode, AttemptTime        what ends without a row
 *   AttemptLeaves, RowValues, Registers  read what expressions name
 *   WalkNames                            completes the templates of package text
 * </pre>
 *
 * <p>Who may call: the compiler of flows. Threads: one for each class that is written.
 */
package dev.millrace.cql.compiler.pattern.attempt;

/**
 * Generates a class for each pattern whose attempts are records.
 *
 * <pre>
 *   AttemptGenerator ─► AttemptClass: the source text, AttemptWords: the records
 *      ├── AttemptInput                  rows of a batch, partitions
 *      ├── StepCode, AttemptConditions   the next position of an attempt
 *      ├── RegisterCode, RegisterUpdates registers; FunctionCode: aggregates over all rows
 *      ├── MeasureCode, QueueCode        rows of matches, rows that wait
 *      ├── WalkCode                      the loop over the attempts of a partition
 *      └── TimerCode, AttemptTime        deadlines
 *   AttemptLeaves, RowValues, Registers  read the values of expressions
 *   WalkNames                            completes the templates of package text
 * </pre>
 *
 * <p>Callers: the compiler of flows. Not thread-safe; used for one class.
 */
package dev.millrace.cql.compiler.pattern.attempt;

/**
 * Generates a class for each pattern whose attempts are records.
 *
 * <pre>
 *   AttemptGenerator ─► AttemptClass: the source text, AttemptRecordLayout: the records
 *      ├── AttemptInput                  rows of a batch, partitions
 *      ├── TransitionGenerator, AttemptConditions   the next position of an attempt
 *      ├── RegisterGenerator, RegisterUpdates registers; FunctionCode: aggregates over all rows
 *      ├── MeasureCode, RowQueueGenerator        rows of matches, rows that wait
 *      ├── AttemptScanGenerator                      the loop over the attempts of a partition
 *      └── TimerGenerator, AttemptTime        deadlines
 *   AttemptLeafResolver, RowValues, Registers  read the values of expressions
 *   AttemptTemplateNames                            completes the templates of package text
 * </pre>
 *
 * <p>Callers: the compiler of flows. Not thread-safe; used for one class.
 */
package dev.millrace.cql.compiler.pattern.attempt;

/**
 * Turns the rules of a processor into its physical plan.
 *
 * <pre>
 *   RuleTexts ──► language: parse, validate ──┬─► logical plan ──► LogicalRules ──► operators ──► PipelineAssembler
 *                                              │      (one stream, no instants: a view and its queries fused)
 *                                              └─► FlowPlanner ──► BlockBuilder, SetPlanner ──► FlowRules
 *                                                     (everything else: a graph of nodes)
 * </pre>
 *
 * <p>Who may call: the CQL processor and tools. Threads: a {@link dev.millrace.cql.planner.RulePlanner} keeps no state,
 * any thread may plan; one call stays on its thread. Calcite ends here: a plan holds none of its types.
 */
package dev.millrace.cql.planner;

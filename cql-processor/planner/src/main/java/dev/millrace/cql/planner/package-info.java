/**
 * Converts the rules of a processor to its physical plan.
 *
 * <pre>
 *   RuleTexts ──► language: parse, validate ──┬─► logical plan ──► LogicalRules ──► operators ──► PipelineAssembler
 *                                              │      (one stream, no instants: a view and its queries fused)
 *                                              └─► FlowPlanner ──► SelectBlockPlanner, SetPlanner ──► FlowSetPlanner
 *                                                     (everything else: a graph of nodes)
 * </pre>
 *
 * <p>A {@link dev.millrace.cql.planner.RuleSetPlan} keeps the planned form of each rule, and what the names in the rule
 * referred to. The next plan of the processor reuses the forms that are still valid.
 *
 * <p>Callers: the CQL processor and tools. Threads: a {@link dev.millrace.cql.planner.RulePlanner} is stateless and can
 * be called by any thread; each call runs on its thread. Calcite is used up to this package: a plan contains none of
 * its types.
 */
package dev.millrace.cql.planner;

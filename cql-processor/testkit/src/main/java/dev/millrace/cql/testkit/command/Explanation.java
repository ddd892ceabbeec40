package dev.millrace.cql.testkit.command;

import dev.millrace.cql.compiler.CompiledPipeline;
import dev.millrace.cql.compiler.PipelineCompiler;
import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.RulePlanner;
import java.util.ArrayList;
import java.util.List;

/** How a server would run statements, for people: logical plan, steps, patterns, and the generated classes. */
final class Explanation
{
    private final String logical;
    private final String physical;
    private final List<CompiledPipeline> pipelines;
    private final List<CompiledFlow> flows;

    /**
     * Plans and compiles.
     *
     * @param rules   statements
     * @param catalog they may read
     * @throws CqlException with all problems
     */
    Explanation(final List<RuleText> rules, final Catalog catalog) throws CqlException
    {
        final RulePlanner planner = new RulePlanner();
        final ProcessorPlan plan = planner.plan("command", rules, catalog);
        physical = planner.explain(plan);
        logical = planner.logicalPlans(rules, catalog);
        pipelines = plan.pipelines().stream().map(new PipelineCompiler()::compile).toList();
        flows = plan.flows().stream().map(new FlowCompiler()::compile).toList();
    }

    /** Lines to print. */
    List<String> lines()
    {
        final List<String> lines = new ArrayList<>();
        section(lines, "Logical plan", logical.lines().toList());
        section(lines, "Steps", physical.lines().toList());
        final List<String> units = new ArrayList<>();
        flows.stream().flatMap(flow -> flow.units().stream()).forEach(unit -> units.add(
            String.join(", ", unit.outputs().stream().map(FlowPlan.Output::queryId).toList()) +
            ": one generated class that processes whole batches"));
        if (!units.isEmpty())
        {
            section(lines, "Units", units);
        }
        final List<String> patterns = new ArrayList<>();
        pipelines.forEach(pipeline -> patterns.addAll(PatternNotes.of(pipeline.plan())));
        flows.forEach(flow -> patterns.addAll(PatternNotes.of(flow)));
        if (!patterns.isEmpty())
        {
            section(lines, "Patterns", patterns);
        }
        final List<String> estimates = new ArrayList<>();
        pipelines.forEach(pipeline -> estimates.addAll(CostEstimate.of(pipeline)));
        flows.forEach(flow -> estimates.addAll(CostEstimate.of(flow)));
        section(lines, "Estimated processor time, where a row passes every filter", estimates);
        return lines;
    }

    /** Adds a section with a title. */
    static void section(final List<String> lines, final String title, final List<String> content)
    {
        if (!lines.isEmpty())
        {
            lines.add("");
        }
        lines.add(title);
        content.forEach(line -> lines.add("  " + line));
    }

    /** The generated classes. */
    List<String> code()
    {
        final List<String> lines = new ArrayList<>();
        pipelines.forEach(pipeline -> pipeline.javaText().lines().forEach(lines::add));
        flows.forEach(flow -> flow.javaText().lines().forEach(lines::add));
        return lines;
    }
}

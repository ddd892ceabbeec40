package dev.millrace.cql.testkit.command;

import dev.millrace.api.cartridge.Cartridges;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryScope;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.Clock;
import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.functions.Aggregates;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.JavaClasses;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.CqlProblem;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.language.syntax.RuleDependencies;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.planner.RuleWarnings;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.cql.testkit.XmlSources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * Statements over sources, planned, and run on demand, without a server.
 *
 * <p>Not thread-safe. Failure: {@link ToolException} with all problems of the statements.
 */
final class QuerySession
{

    private final ProcessorPlan plan;
    private final boolean isTimed;
    private final List<CompiledFlow> compiled = new ArrayList<>();
    private final MemoryScope memory = new MemoryScope(new MemoryBudget(
        MemoryBudget.defaultBytes(Runtime.getRuntime().maxMemory()), Clock.SYSTEM), "");
    private final List<FlowEngine> engines = new ArrayList<>();
    private final Map<String, EventBatch> batches = new HashMap<>();

    /**
     * Plans and compiles.
     *
     * @param rules        statements
     * @param specs        sources
     * @param name         of the file of the statements, for messages
     * @param isTimeStrict whether no two rows of a source have the same time
     */
    QuerySession(
        final List<RuleText> rules, final List<StreamSpec> specs, final String name, final boolean isTimeStrict)
    {
        isTimed = rules.stream().anyMatch(RuleDependencies::isTimed);
        final Catalog catalog = catalog(specs, isTimeStrict);
        try
        {
            plan = new RulePlanner().flowsOnly().plan("command", rules, catalog);
        }
        catch (final CqlException wrong)
        {
            throw refusal(name, wrong);
        }
        final FlowCompiler compiler = new FlowCompiler();
        plan.flows().forEach(flow -> compiled.add(compiler.compile(flow)));
    }

    /** The sources that statements may read. */
    static Catalog catalog(final List<StreamSpec> specs, final boolean isTimeStrict)
    {
        final Catalog.Builder catalog = Catalog.builder()
            .classes(JavaClasses.of(Thread.currentThread().getContextClassLoader()))
            .cartridges(Cartridges.installed(Thread.currentThread().getContextClassLoader()));
        final FlowNode.TimeKind time =
            isTimeStrict ? FlowNode.TimeKind.APPLICATION_TOTAL_ORDER : FlowNode.TimeKind.APPLICATION;
        specs.forEach(spec -> catalog.add(
            new Catalog.ChannelSource(spec.name(), spec.type(), spec.relation(), time, false, spec.key())));
        return catalog.build();
    }

    /** All problems of statements as one exception. */
    static ToolException refusal(final String file, final CqlException wrong)
    {
        final boolean isSourceUnknown = wrong.problems().stream()
            .anyMatch(problem -> problem.code().equals(Message.UNKNOWN_SOURCE.code()));
        return new ToolException("CMD-0306", "statements are refused, file=" + file + "\n" + wrong.problems()
            .stream().map(QuerySession::text).collect(Collectors.joining("\n")),
            isSourceUnknown ? "specify sources with --stream 'NAME=FILE:COLUMN TYPE, ..' and --relation" : "");
    }

    /** Warnings about valid but probably unintended statements. In a file that ends, no match waits forever. */
    static List<String> warnings(final String file, final List<RuleText> rules)
    {
        return RuleWarnings.of(rules).stream().filter(warning -> !warning.code().equals(Message.OPEN_TAIL.code()))
            .map(warning -> "warning: file=" + file + "\n" + text(warning)).toList();
    }

    private static String text(final CqlProblem problem)
    {
        final boolean isInText = problem.attribute().isEmpty();
        final StringBuilder text = new StringBuilder(isInText ?
            "  line " + problem.line() + ", column " + problem.column() : "  " + problem.ruleId())
            .append(": ").append(problem.code()).append(": ").append(problem.text());
        if (isInText)
        {
            problem.excerpt().lines().forEach(line -> text.append("\n    ").append(line));
        }
        return text.append(problem.hint().isEmpty() ? "" : "\n    hint: " + problem.hint()).toString();
    }

    /** Whether time alone can change the output of the statements: a time window, or a limit of a pattern. */
    boolean isTimed()
    {
        return isTimed;
    }

    /** Receives rows that a query rejects. */
    interface Rejections
    {
        /** Called when rows are rejected. */
        void reject(String query, int rows, String reason, String detail);
    }

    /** Creates the engines; their output is sent to the sink with the id of the query. */
    void start(final BiConsumer<String, EventBatch> sink, final Rejections rejections)
    {
        for (final CompiledFlow flow : compiled)
        {
            final Map<String, BatchSchema> schemas = new LinkedHashMap<>();
            final Map<String, EventBatchSink> sinks = new LinkedHashMap<>();
            for (final FlowPlan.Output output : flow.plan().outputs())
            {
                schemas.put(output.queryId(), new BatchSchema(output.type()));
                sinks.put(output.queryId(), batch -> sink.accept(output.queryId(), batch));
            }
            final String queries = String.join("+", schemas.keySet());
            engines.add(flow.instantiate(new FlowBindings(
                schemas, sinks, XmlSources.of(flow.plan()), Aggregates.factories(), Map.of(),
                (rows, reason, detail) -> rejections.reject(queries, rows, reason, detail),
                FlowBindings.DEFAULT_MAX_ROWS, memory.open("", queries, "state"), 0)));
        }
    }

    /** Sends the current row of a file to the engines. */
    void row(final CsvInput input)
    {
        final EventBatch batch = batch(input.spec());
        batch.clear();
        FileRowWriter.add(input, batch);
        send(input.spec().name(), batch);
    }

    private EventBatch batch(final StreamSpec spec)
    {
        return batches.computeIfAbsent(spec.name(), name ->
            new EventBatch(new BatchSchema(spec.type())));
    }

    /** Advances time on a source. */
    void time(final StreamSpec spec, final long timeNs)
    {
        final EventBatch batch = batch(spec);
        batch.clear();
        batch.baseTimestampNs(timeNs);
        send(spec.name(), batch);
    }

    private void send(final String source, final EventBatch batch)
    {
        for (final FlowEngine engine : engines)
        {
            final int index = engine.source(source);
            if (index >= 0)
            {
                engine.onBatch(index, batch);
            }
        }
    }

    /** Called when no further rows of the times seen will arrive. */
    void finish()
    {
        engines.forEach(FlowEngine::finish);
    }
}

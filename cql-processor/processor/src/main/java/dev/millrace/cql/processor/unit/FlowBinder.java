package dev.millrace.cql.processor.unit;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.window.TimeWindowFactory;
import dev.millrace.cql.functions.Aggregates;
import dev.millrace.cql.functions.xml.XmlTable;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.WindowSpec;
import dev.millrace.cql.processor.binding.RuleCatalog;
import dev.millrace.cql.processor.binding.TableLookup;
import dev.millrace.cql.processor.binding.UserFunctions;
import dev.millrace.cql.processor.relation.CacheLookup;
import dev.millrace.cql.processor.relation.RecordedLookup;
import dev.millrace.cql.processor.relation.RecordedReplica;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.function.GroupAggregateFactory;
import dev.millrace.cql.runtime.function.LookupSource;
import dev.millrace.cql.runtime.unit.LookupRows;
import dev.millrace.network.definition.ProcessorStage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Binds flows to their environment: outputs of the network, caches, tables, functions and windows of the application.
 *
 * <p>Confined to the deploying thread; each result belongs to one engine.
 */
public final class FlowBinder
{
    private final ProcessorStage definition;
    private final ExecutionUnitOutputs wiring;
    private final List<Runnable> endings = new ArrayList<>();
    private final List<RecordedReplica> replicas = new ArrayList<>();
    private final List<RecordedLookup> lookups = new ArrayList<>();

    public FlowBinder(final ProcessorStage definition, final ExecutionUnitOutputs wiring)
    {
        this.definition = definition;
        this.wiring = wiring;
    }

    /**
     * Creates the bindings of one engine.
     *
     * @param memory account for its state
     * @param parts  sinks of rows for a second step, by the name that represents a query there
     */
    public FlowBindings bind(final FlowPlan plan, final MemoryAccount memory, final Map<String, EventBatchSink> parts)
    {
        final Map<String, BatchSchema> schemas = new LinkedHashMap<>();
        final Map<String, EventBatchSink> outputs = new LinkedHashMap<>();
        final Map<String, LookupSource> pulls = new LinkedHashMap<>();
        final Map<String, TimeWindowFactory> windows = new HashMap<>();
        for (final FlowPlan.Output output : plan.outputs())
        {
            final EventBatchSink part = parts.get(output.queryId());
            schemas.put(output.queryId(), new BatchSchema(output.type()));
            outputs.put(output.queryId(), part == null ? wiring.openOutput(output.queryId()) : part);
            for (final FlowNode node : FlowNode.upstream(output.input()))
            {
                if (node instanceof FlowNode.Pull pull && pull.kind() == FlowNode.PullKind.CACHE)
                {
                    pulls.computeIfAbsent(pull.source(), name -> cache(plan, pull));
                }
                else if (node instanceof FlowNode.Pull pull && pull.kind() == FlowNode.PullKind.TABLE)
                {
                    pulls.computeIfAbsent(pull.binding(), name -> recorded("table", pull, table(pull)));
                }
                else if (node instanceof FlowNode.Pull pull && pull.kind() == FlowNode.PullKind.FUNCTION)
                {
                    collection(pull, pulls);
                }
                else if (node instanceof FlowNode.Pull pull && pull.kind() == FlowNode.PullKind.XML)
                {
                    pulls.put(pull.source(), XmlTable.of(pull.details()));
                }
                else if (node instanceof FlowNode.Window window && window.window() instanceof WindowSpec.User user)
                {
                    windows.put(user.name(), RuleCatalog.window(definition, user.name()).factory());
                }
            }
        }
        return new FlowBindings(schemas, outputs, pulls, aggregates(), windows, wiring::reject,
            FlowBindings.DEFAULT_MAX_ROWS, memory, new IdleStateSettings(definition).ns(outputs.keySet()))
            .withMaxAttempts(attempts(definition, outputs.keySet()));
    }

    /** The limit of partial matches per partition for queries that run as one: the maximum of their limits. */
    public static int attempts(final ProcessorStage definition, final Collection<String> queries)
    {
        return queries.stream().mapToInt(query -> definition.rules().stream()
            .filter(rule -> rule.id().equals(query) && rule.maxAttempts() != null)
            .mapToInt(ProcessorStage.Rule::maxAttempts).findFirst().orElse(definition.maxAttempts())).max()
            .orElse(definition.maxAttempts());
    }

    /** Aggregates of the application override built-in ones. */
    private Map<String, GroupAggregateFactory> aggregates()
    {
        final Map<String, GroupAggregateFactory> all = new HashMap<>(Aggregates.factories());
        all.putAll(UserFunctions.aggregates(definition.objects().functions()));
        return all;
    }

    /** Functions are called again in a replay; the elements of their collections are those of the first call. */
    private void collection(final FlowNode.Pull pull, final Map<String, LookupSource> pulls)
    {
        if (wiring.storage() != null)
        {
            final LookupRows.Elements elements = new LookupRows.Elements(
                pull.source(), pull.pulled().types().get(0), (Class<?>)pull.details().get(0));
            pulls.computeIfAbsent(elements.binding(), name -> recorded("collection", pull, elements.source()));
        }
    }

    /** The source, whose answers are stored if the flow is durable. */
    private LookupSource recorded(final String kind, final FlowNode.Pull pull, final LookupSource source)
    {
        if (wiring.storage() == null)
        {
            return source;
        }
        final RecordedLookup lookup = new RecordedLookup(kind + ' ' + pull.binding(), pull.pulled(), source);
        lookups.add(lookup);
        return lookup;
    }

    /** A cache is asked for each row unless all look-ups read replicas of it. */
    private LookupSource cache(final FlowPlan plan, final FlowNode.Pull pull)
    {
        for (final Map.Entry<String, ProcessorStage.CacheSource> entry : definition.cacheSources().entrySet())
        {
            if (entry.getKey().equalsIgnoreCase(pull.source()))
            {
                final CacheLookup source = new CacheLookup(entry.getValue().cache(),
                    new BatchSchema(entry.getValue().settings().valueType()), wiring::reject,
                    wiring.storage() == null ? null : replicas::add);
                endings.add(source::close);
                return isReplicated(plan, pull.source(), entry.getValue().cache()) ? source :
                    recorded("cache", pull, source);
            }
        }
        throw missing("cache", pull.source());
    }

    private static boolean isReplicated(final FlowPlan plan, final String name, final Cache cache)
    {
        return !cache.findsElsewhere() && plan.outputs().stream()
            .flatMap(output -> FlowNode.upstream(output.input()).stream()).allMatch(node ->
                !(node instanceof FlowNode.Pull pull) || pull.kind() != FlowNode.PullKind.CACHE ||
                !pull.source().equals(name) || pull.isReplicable());
    }

    private LookupSource table(final FlowNode.Pull pull)
    {
        final TableLookup source = definition.objects().tables().stream()
            .filter(table -> table.name().equalsIgnoreCase(pull.source())).findFirst()
            .map(table -> new TableLookup(table, pull.keyColumns(), System::nanoTime))
            .orElseThrow(() -> missing("table", pull.source()));
        endings.add(source::close);
        return source;
    }

    /** The replicas of a durable engine, in the order in which it has created them since the last call. */
    List<RecordedReplica> takeReplicas()
    {
        final List<RecordedReplica> taken = List.copyOf(replicas);
        replicas.clear();
        return taken;
    }

    /** The look-ups of a durable engine, in the order in which it was bound to them since the last call. */
    List<RecordedLookup> takeLookups()
    {
        final List<RecordedLookup> taken = List.copyOf(lookups);
        lookups.clear();
        return taken;
    }

    /** Actions to run when the bound flows end. */
    public List<Runnable> endings()
    {
        return endings;
    }

    private IllegalStateException missing(final String what, final String name)
    {
        return new IllegalStateException("internal error, please report it with the rules: the plan reads a " + what +
            " that the processor does not have, processor=" + definition.id() + ' ' + what + '=' + name);
    }
}

package dev.millrace.embedded;

import dev.millrace.api.cartridge.Cartridges;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.function.AggregateFunctionFactory;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.time.Clock;
import dev.millrace.api.window.TimeWindowFactory;
import dev.millrace.cql.processor.CqlProcessorProvider;
import dev.millrace.network.Network;
import dev.millrace.network.conversion.BeanType;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.StageDefinition;
import dev.millrace.network.definition.UserObjects;
import dev.millrace.network.spi.PlannedProcessor;
import dev.millrace.network.spi.ProcessorProvider.InputChannel;
import dev.millrace.network.spi.QueryOutput;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Describes a network: event types, inputs, rules of one processor, and what receives their rows. Not thread-safe.
 * Failure: methods throw {@link IllegalArgumentException} for names that are used twice or are unknown.
 */
public final class MillraceBuilder
{
    static final String PROCESSOR = "rules";

    private final String name;
    private final Map<String, EventType> types = new LinkedHashMap<>();
    private final Map<String, InputDefinition> inputs = new LinkedHashMap<>();
    private final Map<String, Rule> rules = new LinkedHashMap<>();
    private final Map<String, List<Object>> sinks = new LinkedHashMap<>();
    private final Map<String, EventType> outputTypes = new LinkedHashMap<>();
    private final List<UserObjects.Function> functions = new ArrayList<>();
    private final List<UserObjects.Window> windows = new ArrayList<>();
    private final List<UserObjects.Table> tables = new ArrayList<>();
    private Clock clock = Clock.SYSTEM;
    private MemoryBudget memory = MemoryBudget.unlimited();
    private int workers = 1;

    MillraceBuilder(final String name)
    {
        this.name = Objects.requireNonNull(name, "name");
    }

    /**
     * Declares an event type whose events are {@link TupleEvent}.
     *
     * @param properties names and types of CQL, for example {@code symbol char(8), price double}
     * @return this
     */
    public MillraceBuilder eventType(final String type, final String properties)
    {
        return eventType(RowTypeText.parse(type, properties));
    }

    /**
     * Declares an event type whose events are JavaBeans.
     *
     * @param beanClass public, with getters and setters
     * @return this
     */
    public MillraceBuilder eventType(final String type, final Class<?> beanClass)
    {
        try
        {
            return eventType(BeanType.of(type, beanClass));
        }
        catch (final IllegalArgumentException e)
        {
            throw new IllegalArgumentException(e.getMessage() + ", type=" + type + " class=" + beanClass.getName(), e);
        }
    }

    /**
     * Declares an event type.
     *
     * @return this
     */
    public MillraceBuilder eventType(final EventType type)
    {
        if (types.putIfAbsent(type.name(), type) != null)
        {
            throw new IllegalArgumentException("the event type is declared twice, type=" + type.name());
        }
        return this;
    }

    /**
     * Declares a stream whose rows get their time when they arrive.
     *
     * @param id   name of the stream in rules
     * @param type name of an event type
     * @return this
     */
    public MillraceBuilder stream(final String id, final String type)
    {
        return input(id, type, false, List.of(), null);
    }

    /**
     * Declares a stream whose rows contain their time.
     *
     * @param id                name of the stream in rules
     * @param type              name of an event type
     * @param timestampProperty of type timestamp, bigint or int: nanoseconds; it must not decrease
     * @return this
     */
    public MillraceBuilder stream(final String id, final String type, final String timestampProperty)
    {
        return input(id, type, false, List.of(), Objects.requireNonNull(timestampProperty, "timestampProperty"));
    }

    /**
     * Declares a relation.
     *
     * @param id   name of the relation in rules
     * @param type name of an event type
     * @param key  properties that identify a row
     * @return this
     */
    public MillraceBuilder relation(final String id, final String type, final String... key)
    {
        return input(id, type, true, List.of(key), null);
    }

    private MillraceBuilder input(final String id, final String type, final boolean isRelation,
        final List<String> key, final String timestampProperty)
    {
        final EventType known = known(type);
        return input(new InputDefinition(id, known, isRelation, key, timestampProperty,
            InputStage.of(known, isRelation)));
    }

    /**
     * Declares a stream that is filled by batches, the fastest way in, see {@link EmbeddedNetwork#batchSender}.
     *
     * @param id                name of the stream in rules
     * @param type              name of an event type
     * @param timestampProperty as for {@link #stream(String, String, String)}; {@code null} for the time of arrival
     * @return this
     */
    public MillraceBuilder batchStream(final String id, final String type, final String timestampProperty)
    {
        return input(new InputDefinition(id, known(type), false, List.of(), timestampProperty,
            new BatchInputStage()));
    }

    /**
     * Declares a stream with a source of the application.
     *
     * @param id     name of the stream in rules
     * @param type   name of an event type
     * @param source adapter: an object source or a columnar source of {@code dev.millrace.api.stage}
     * @return this
     */
    public MillraceBuilder source(final String id, final String type, final Object source)
    {
        return input(new InputDefinition(id, known(type), false, List.of(), null, source));
    }

    private MillraceBuilder input(final InputDefinition input)
    {
        if (inputs.putIfAbsent(input.id(), input) != null || rules.containsKey(input.id()))
        {
            throw new IllegalArgumentException("the name is used twice, id=" + input.id());
        }
        return this;
    }

    private EventType known(final String type)
    {
        final EventType known = types.get(type);
        if (known == null)
        {
            throw new IllegalArgumentException("unknown event type, type=" + type + "; declared are " +
                types.keySet());
        }
        return known;
    }

    /**
     * Adds a query.
     *
     * @param cql a statement with output
     * @return this
     */
    public MillraceBuilder query(final String id, final String cql)
    {
        return rule(id, false, cql, null);
    }

    /**
     * Adds a query that runs on several threads, see {@link #workers}. Rows of the same partition keep their order.
     *
     * @param partitionExpression expression of input columns that determines the partition of a row
     * @return this
     */
    public MillraceBuilder partitionedQuery(final String id, final String cql, final String partitionExpression)
    {
        return rule(id, false, cql, Objects.requireNonNull(partitionExpression, "partitionExpression"));
    }

    /**
     * Adds a view, which other rules use by its id.
     *
     * @return this
     */
    public MillraceBuilder view(final String id, final String cql)
    {
        return rule(id, true, cql, null);
    }

    private MillraceBuilder rule(final String id, final boolean isView, final String cql, final String partitions)
    {
        final Rule rule = new Rule(id, isView, cql, List.of(), partitions == null ? "ORDERED" : "PARTITION_ORDERED",
            partitions, true, new SourcePosition(id, 1, 1));
        if (rules.putIfAbsent(id, rule) != null || inputs.containsKey(id))
        {
            throw new IllegalArgumentException("the name is used twice, id=" + id);
        }
        return this;
    }

    /**
     * Adds a handler of the rows that a query inserts.
     *
     * @param query   id
     * @param handler receives {@link TupleEvent}
     * @return this
     */
    public MillraceBuilder onEvent(final String query,
        final EventHandler<? super TupleEvent> handler)
    {
        return sink(query, new HandlerStage<>(TupleEvent.class, handler));
    }

    /**
     * Adds a handler of the rows that a query inserts, as JavaBeans. All handlers of a query receive the same class.
     *
     * @param query     id
     * @param beanClass public, with getters and setters for the columns of the query
     * @return this
     */
    public <T> MillraceBuilder onEvent(final String query, final Class<T> beanClass,
        final EventHandler<? super T> handler)
    {
        final EventType type = BeanType.of(query, beanClass);
        final EventType before = outputTypes.putIfAbsent(query, type);
        if (before != null ? before.beanClass() != beanClass : sinks.containsKey(query))
        {
            throw new IllegalArgumentException("all handlers of a query receive events of the same class, query=" +
                query);
        }
        return sink(query, new HandlerStage<>(beanClass, handler));
    }

    /**
     * Adds a sink below a query.
     *
     * @param query id
     * @param sink  a sink of {@code dev.millrace.api.stage}: of rows, of changes of a relation, or of batches
     * @return this
     */
    public MillraceBuilder sink(final String query, final Object sink)
    {
        sinks.computeIfAbsent(query, id -> new ArrayList<>()).add(Objects.requireNonNull(sink, "sink"));
        return this;
    }

    /**
     * Adds a method that rules can call.
     *
     * @param function name in rules
     * @param target   object, or class for static methods
     * @param method   name of the method
     * @return this
     */
    public MillraceBuilder function(final String function, final Object target, final String method)
    {
        functions.add(new UserObjects.Function(function, target, method, null, SourcePosition.NONE));
        return this;
    }

    /**
     * Adds an aggregate that rules can use.
     *
     * @param function name in rules
     * @return this
     */
    public MillraceBuilder aggregate(final String function, final AggregateFunctionFactory factory)
    {
        functions.add(new UserObjects.Function(function, factory, null, null, SourcePosition.NONE));
        return this;
    }

    /**
     * Adds a window that rules can use.
     *
     * @param window name in rules
     * @return this
     */
    public MillraceBuilder window(final String window, final TimeWindowFactory factory)
    {
        windows.add(new UserObjects.Window(window, factory, SourcePosition.NONE));
        return this;
    }

    /**
     * Adds a table of a database that rules can join.
     *
     * @param table     name in rules
     * @param type      name of an event type, whose properties are columns of the table
     * @param tableName name in the database
     * @return this
     */
    public MillraceBuilder table(final String table, final String type, final DataSource dataSource,
        final String tableName)
    {
        tables.add(new UserObjects.Table(table, known(type), dataSource, tableName, SourcePosition.NONE));
        return this;
    }

    /**
     * Sets the clock; default {@link Clock#SYSTEM}. With a {@link dev.millrace.api.time.ManualClock}, use
     * {@link EmbeddedNetwork#advance}.
     *
     * @return this
     */
    public MillraceBuilder clock(final Clock given)
    {
        clock = Objects.requireNonNull(given, "clock");
        return this;
    }

    /**
     * Sets the number of threads of partitioned queries; default 1.
     *
     * @return this
     */
    public MillraceBuilder workers(final int threads)
    {
        if (threads < 1 || threads > 1_024)
        {
            throw new IllegalArgumentException("use 1 to 1024 workers, workers=" + threads);
        }
        workers = threads;
        return this;
    }

    /**
     * Limits the memory of state that grows with the input; rows that would exceed it are rejected. Default: no limit.
     *
     * @return this
     */
    public MillraceBuilder memoryLimit(final long bytes)
    {
        memory = new MemoryBudget(bytes, Clock.SYSTEM);
        return this;
    }

    /**
     * Plans and compiles the rules, and starts the network.
     *
     * @return the running network, which the caller closes
     * @throws DeploymentException with all problems of the rules and their positions
     */
    public EmbeddedNetwork start() throws DeploymentException
    {
        final ProcessorStage processor = new ProcessorStage(PROCESSOR, CqlProcessorProvider.TYPE,
            List.copyOf(rules.values()), Map.of(), new UserObjects(functions, windows, tables, name -> null,
                Cartridges.installed(MillraceBuilder.class.getClassLoader())), workers,
            List.copyOf(sinks.keySet()), SourcePosition.NONE);
        final Map<String, InputChannel> channels = new LinkedHashMap<>();
        inputs.values().forEach(input -> channels.put(input.id(), Channels.planned(input)));
        final PlannedProcessor planned = new CqlProcessorProvider().plan(processor, channels);
        final List<StageDefinition> stages = new ArrayList<>();
        for (final InputDefinition input : inputs.values())
        {
            stages.add(new BeanStage(Channels.source(input.id()), true, input.stage(), List.of(input.id()),
                SourcePosition.NONE));
            stages.add(Channels.input(input, PROCESSOR));
        }
        stages.add(processor);
        outputs(planned, stages);
        final Network network = Network.build(new NetworkDefinition(name, new Types(types), stages, List.of()),
            new EmbeddedServices(planned, clock, memory, workers));
        return EmbeddedNetwork.started(network, inputs, clock);
    }

    private void outputs(final PlannedProcessor planned, final List<StageDefinition> stages)
    {
        for (final Map.Entry<String, List<Object>> output : sinks.entrySet())
        {
            final QueryOutput query = planned.outputs().stream()
                .filter(each -> each.queryId().equals(output.getKey())).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such query, id=" + output.getKey() +
                    "; queries with output are " + planned.outputs().stream().map(QueryOutput::queryId).toList()));
            final List<String> ids = new ArrayList<>();
            final List<StageDefinition> beans = new ArrayList<>();
            for (final Object sink : output.getValue())
            {
                ids.add(Channels.sink(query.queryId(), ids.size()));
                beans.add(new BeanStage(ids.get(ids.size() - 1), false, sink, List.of(), SourcePosition.NONE));
            }
            stages.add(Channels.output(query, outputTypes.getOrDefault(query.queryId(), query.type()), ids));
            stages.addAll(beans);
        }
    }

    private record Types(Map<String, EventType> types) implements EventTypeRepository
    {
        private Types
        {
            types = Map.copyOf(types);
        }

        @Override
        public EventType eventType(final String name)
        {
            return types.get(name);
        }

        @Override
        public Collection<EventType> eventTypes()
        {
            return types.values();
        }
    }
}

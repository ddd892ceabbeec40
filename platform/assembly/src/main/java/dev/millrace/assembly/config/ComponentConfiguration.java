package dev.millrace.assembly.config;

import dev.millrace.assembly.xml.Located;
import dev.millrace.network.definition.PlaybackSettings;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.RecordingSettings;
import dev.millrace.network.definition.SourcePosition;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The contents of all configuration files of an application. Filled by the reader, only read afterwards. */
public final class ComponentConfiguration
{
    /**
     * A context of the JDBC cartridge.
     *
     * @param name       id of the context in the assembly file
     * @param dataSource name of a data source of the server
     * @param functions  definitions
     * @param position   of the element
     */
    public record StatementContext(
        Located name, Located dataSource, List<StatementFunction> functions, SourcePosition position)
    {
    }

    /**
     * A function that executes a statement.
     *
     * @param name       name in rules
     * @param parameters in order of the call
     * @param component  CQL type or class of a row of the result
     * @param sql        statement
     * @param maxSize    number of results to remember, or {@code null}
     * @param timeToLive how long, in milliseconds, or {@code null}
     */
    public record StatementFunction(Located name, List<StatementParameter> parameters, Located component, Located sql,
        Located maxSize, Located timeToLive)
    {
    }

    /**
     * A parameter.
     *
     * @param name in the statement
     * @param type CQL type
     */
    public record StatementParameter(Located name, Located type)
    {
    }

    private final Map<String, Component> components = new LinkedHashMap<>();
    private final Map<String, Processor> processors = new LinkedHashMap<>();
    private final Map<String, Channel> channels = new LinkedHashMap<>();
    private final Map<String, CachingSystem> cachingSystems = new LinkedHashMap<>();
    private final Map<String, GroupBindings> groupBindings = new LinkedHashMap<>();
    private final Map<String, Map<String, Located>> adapterProperties = new LinkedHashMap<>();
    private final Map<String, Mapper> mappers = new LinkedHashMap<>();
    private final Map<String, StatementContext> statementContexts = new LinkedHashMap<>();
    private final Map<String, RecordingSettings> recordings = new LinkedHashMap<>();
    private final Map<String, PlaybackSettings> playbacks = new LinkedHashMap<>();

    ComponentConfiguration()
    {
    }

    /**
     * Configuration of one component.
     *
     * @param element local name of its element, {@code channel} also for the old name {@code stream}
     * @param name    name of the component
     */
    public record Component(String element, Located name)
    {
    }

    /**
     * Configuration of a mapper of bodies.
     *
     * @param element    local name of its element
     * @param name       of a bean
     * @param properties of the bean, by name
     */
    public record Mapper(String element, Located name, Map<String, Located> properties)
    {
    }

    /**
     * Configuration of a processor.
     *
     * @param rules         views and queries in order; a query with bindings occurs once for each of its params
     * @param bound         ids of the running queries of a query with bindings, by its own id
     * @param workers       number of threads, or {@code null}
     * @param idleStateTime when idle keys are discarded, or {@code null}
     * @param maxAttempts   partial matches that patterns may follow in a partition, or {@code null}
     * @param durable       whether its state survives the end of the process
     * @param position      of the element
     */
    public record Processor(
        List<Rule> rules, Map<String, List<String>> bound, Located workers, Duration idleStateTime,
        Integer maxAttempts, boolean durable, SourcePosition position)
    {
        /**
         * Returns this configuration with the server's values for settings that it does not specify.
         *
         * @param serverTime     idle state time
         * @param serverAttempts partial matches of a partition
         * @return a copy
         */
        public Processor withDefaults(final Duration serverTime, final int serverAttempts)
        {
            return new Processor(rules, bound, workers, idleStateTime == null ? serverTime : idleStateTime,
                maxAttempts == null ? (Integer)serverAttempts : maxAttempts, durable, position);
        }
    }

    /**
     * Configuration of a channel; each may be {@code null} or empty when not given.
     *
     * @param maxSize     queue length
     * @param maxThreads  consumer threads
     * @param heartbeatNs idle time before a heartbeat
     * @param selector    ids of queries; a selector with placeholders is one element, as written
     */
    public record Channel(Located maxSize, Located maxThreads, Located heartbeatNs, List<Located> selector)
    {
    }

    /**
     * Configuration of a caching system.
     *
     * @param caches settings of each configured cache by their element names, including those of {@code write-behind}
     *               and {@code write-behind} itself
     * @param names  names of the caches as written
     */
    public record CachingSystem(Map<String, Map<String, Located>> caches, List<Located> names)
    {
    }

    /**
     * Values of a component for groups of servers.
     *
     * @param groups params of each group by its name, in order
     */
    public record GroupBindings(Map<String, List<GroupParam>> groups)
    {
    }

    /**
     * A value for a placeholder.
     *
     * @param id    name of the placeholder
     * @param value replacement, may be empty
     */
    public record GroupParam(Located id, Located value)
    {
    }

    /** All configured components by name, in order. */
    public Map<String, Component> components()
    {
        return components;
    }

    /** The processors by name. */
    public Map<String, Processor> processors()
    {
        return processors;
    }

    /** The channels by name. */
    public Map<String, Channel> channels()
    {
        return channels;
    }

    /** The caching systems by name. */
    public Map<String, CachingSystem> cachingSystems()
    {
        return cachingSystems;
    }

    /** Settings of recordings, by name of the stage. */
    public Map<String, RecordingSettings> recordings()
    {
        return recordings;
    }

    /** Settings of playbacks, by name of the stage. */
    public Map<String, PlaybackSettings> playbacks()
    {
        return playbacks;
    }

    /** The adapters and channels that have values for groups of servers, by name. */
    public Map<String, GroupBindings> groupBindings()
    {
        return groupBindings;
    }

    /** Contexts of the JDBC cartridge, by name. */
    public Map<String, StatementContext> statementContexts()
    {
        return statementContexts;
    }

    /** Mappers of bodies, by name. */
    public Map<String, Mapper> mappers()
    {
        return mappers;
    }

    /** Instance properties of adapters, by name of the adapter and of the property. */
    public Map<String, Map<String, Located>> adapterProperties()
    {
        return adapterProperties;
    }
}

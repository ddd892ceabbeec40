package dev.millrace.assembly.config;

import dev.millrace.assembly.xml.Located;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What all configuration files of an application say. Filled by the reader, read afterwards. */
public final class ComponentConfiguration
{
    private final Map<String, Component> components = new LinkedHashMap<>();
    private final Map<String, Processor> processors = new LinkedHashMap<>();
    private final Map<String, Channel> channels = new LinkedHashMap<>();
    private final Map<String, CachingSystem> cachingSystems = new LinkedHashMap<>();
    private final Map<String, GroupBindings> groupBindings = new LinkedHashMap<>();

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
     * Configuration of a processor.
     *
     * @param rules    views and queries in order; a query with bindings stands there once for each of its params
     * @param bound    ids of the running queries of a query with bindings, by its own id
     * @param workers  number of threads, or {@code null}
     * @param idleStateTime when idle keys are forgotten, or {@code null}
     * @param maxAttempts partial matches that patterns may follow in a partition, or {@code null}
     * @param position of the element
     */
    public record Processor(
        List<Rule> rules, Map<String, List<String>> bound, Located workers, Duration idleStateTime,
        Integer maxAttempts, SourcePosition position)
    {
        /**
         * This configuration with what the server says where it says nothing itself.
         *
         * @param serverTime     idle state time
         * @param serverAttempts partial matches of a partition
         * @return a copy
         */
        public Processor withDefaults(final Duration serverTime, final int serverAttempts)
        {
            return new Processor(rules, bound, workers, idleStateTime == null ? serverTime : idleStateTime,
                maxAttempts == null ? (Integer)serverAttempts : maxAttempts, position);
        }
    }

    /**
     * Configuration of a channel; each may be {@code null} or empty when not given.
     *
     * @param maxSize     queue length
     * @param maxThreads  consumer threads
     * @param heartbeatNs silence before time goes on
     * @param selector    ids of queries; one with placeholders is one element, the text as written
     */
    public record Channel(Located maxSize, Located maxThreads, Located heartbeatNs, List<Located> selector)
    {
    }

    /**
     * Configuration of a caching system.
     *
     * @param caches settings of each configured cache by their element names; those of {@code write-behind} stand
     *     beside the others, and its own name is there too
     * @param names  names of the caches as written
     */
    public record CachingSystem(Map<String, Map<String, Located>> caches, List<Located> names)
    {
    }

    /**
     * Values that a component has for groups of servers.
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
     * @param value text in its place, may be empty
     */
    public record GroupParam(Located id, Located value)
    {
    }

    /**
     * Every component that was configured.
     *
     * @return name to component, in order
     */
    public Map<String, Component> components()
    {
        return components;
    }

    /**
     * The processors.
     *
     * @return name to configuration
     */
    public Map<String, Processor> processors()
    {
        return processors;
    }

    /**
     * The channels.
     *
     * @return name to configuration
     */
    public Map<String, Channel> channels()
    {
        return channels;
    }

    /**
     * The caching systems.
     *
     * @return name to configuration
     */
    public Map<String, CachingSystem> cachingSystems()
    {
        return cachingSystems;
    }

    /**
     * The adapters and channels that have values for groups of servers.
     *
     * @return name to values
     */
    public Map<String, GroupBindings> groupBindings()
    {
        return groupBindings;
    }
}

package dev.millrace.network.definition;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A processor and its rules.
 *
 * @param id            id
 * @param provider      {@code cql}
 * @param rules         views and queries in order of registration
 * @param cacheSources  caches it may join, by the name that its rules use
 * @param objects       functions, windows and tables of the application that its rules may use
 * @param workers       threads that share a PARTITION_ORDERED rule; 0 = the server's default, 1 = run on the sender's
 *                      thread
 * @param idleStateTime how long keys of unbounded state may be idle; zero when they are kept forever
 * @param maxAttempts   partial matches that its patterns may follow in a partition
 * @param listeners     stages below
 * @param position      position of its element
 */
public record ProcessorStage(
    String id,
    String provider,
    List<Rule> rules,
    Map<String, CacheSource> cacheSources,
    UserObjects objects,
    int workers,
    Duration idleStateTime,
    int maxAttempts,
    boolean durable,
    List<String> listeners,
    SourcePosition position) implements StageDefinition
{
    /** Checks the arguments. */
    public ProcessorStage
    {
        Objects.requireNonNull(objects, "objects");
        Objects.requireNonNull(idleStateTime, "idleStateTime");
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(provider, "provider");
        rules = List.copyOf(rules);
        cacheSources = Map.copyOf(cacheSources);
        listeners = List.copyOf(listeners);
    }

    /**
     * Creates a processor whose rules use no objects of the application except caches.
     *
     * @param id           id
     * @param provider     {@code cql}
     * @param rules        views and queries in order of registration
     * @param cacheSources caches it may join
     * @param workers      threads that share a PARTITION_ORDERED rule
     * @param durable      whether its state survives the end of the process
 * @param listeners    stages below
     * @param position     position of its element
     */
    public ProcessorStage(final String id, final String provider, final List<Rule> rules,
        final Map<String, CacheSource> cacheSources, final int workers, final List<String> listeners,
        final SourcePosition position)
    {
        this(id, provider, rules, cacheSources, UserObjects.NONE, workers, listeners, position);
    }

    /**
     * Creates a processor that keeps idle keys of its rules forever.
     *
     * @param id           id
     * @param provider     {@code cql}
     * @param rules        views and queries in order of registration
     * @param cacheSources caches it may join
     * @param objects      functions, windows and tables that its rules may use
     * @param workers      threads that share a PARTITION_ORDERED rule
     * @param listeners    stages below
     * @param position     position of its element
     */
    public ProcessorStage(final String id, final String provider, final List<Rule> rules,
        final Map<String, CacheSource> cacheSources, final UserObjects objects, final int workers,
        final List<String> listeners, final SourcePosition position)
    {
        this(id, provider, rules, cacheSources, objects, workers, DurationFormat.NONE, PatternAttempts.DEFAULT, false,
            listeners, position);
    }

    /**
     * Returns this processor with other rules.
     *
     * @param others rules in order of registration, bound
     * @return a copy
     */
    public ProcessorStage withRules(final List<Rule> others)
    {
        return new ProcessorStage(id, provider, others, cacheSources, objects, workers, idleStateTime,
            maxAttempts, durable, listeners, position);
    }

    /**
     * A cache as a source of rules.
     *
     * @param cache    the cache
     * @param settings declared settings; must have a value type and key properties
     */
    public record CacheSource(dev.millrace.api.cache.Cache cache, dev.millrace.api.cache.CacheSettings settings)
    {
    }

    /**
     * A view or query of a component configuration file.
     *
     * @param id                  id
     * @param view                whether it is a view
     * @param text                CQL
     * @param schema              column names of a view; empty when not given
     * @param orderingConstraint  {@code ORDERED}, {@code UNORDERED}, {@code PARTITION_ORDERED}
     * @param partitionExpression source text of the expression; {@code null} when not given
     * @param active              whether it is started
     * @param position            of the first character of {@code text}
     * @param params              values of its placeholders; {@code null} when it has none
     * @param positions           positions of its parts; {@code null} when only {@code position} is known
     * @param idleStateTime       how long keys of unbounded state may be idle; {@code null} = the processor's
     * @param maxAttempts         partial matches that its patterns may follow in a partition; {@code null} = the
     *                            processor's
     */
    public record Rule(
        String id,
        boolean view,
        String text,
        List<String> schema,
        String orderingConstraint,
        String partitionExpression,
        boolean active,
        SourcePosition position,
        Params params,
        RulePositions positions,
        Duration idleStateTime,
        Integer maxAttempts)
    {
        /** Checks the arguments. */
        public Rule
        {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(text, "text");
            schema = List.copyOf(schema);
        }

        /**
         * Creates a rule without placeholders.
         *
         * @param id                  id
         * @param view                whether it is a view
         * @param text                CQL
         * @param schema              column names of a view
         * @param orderingConstraint  ordering constraint
         * @param partitionExpression source text of the expression, or {@code null}
         * @param active              whether it is started
         * @param position            of the first character of {@code text}
         */
        public Rule(final String id, final boolean view, final String text, final List<String> schema,
            final String orderingConstraint, final String partitionExpression, final boolean active,
            final SourcePosition position)
        {
            this(id, view, text, schema, orderingConstraint, partitionExpression, active, position, null, null, null,
                null);
        }

        /**
         * Returns this rule with the positions of all its parts.
         *
         * @param known where its parts were written
         * @return a copy
         */
        public Rule withPlaces(final RulePositions known)
        {
            return new Rule(id, view, text, schema, orderingConstraint, partitionExpression, active, position, params,
                known, idleStateTime, maxAttempts);
        }

        /**
         * Returns this query with values for its placeholders; its id becomes {@code id_paramsId}.
         *
         * @param values values of a {@code params} element
         * @return a copy
         */
        public Rule bound(final Params values)
        {
            return new Rule(id + '_' + values.id(), view, text, schema, orderingConstraint, partitionExpression,
                active, position, values, positions, idleStateTime, maxAttempts);
        }

        /**
         * Returns this rule with a time after which idle keys are discarded.
         *
         * @param time of the keys; {@code null} = the processor's
         * @return a copy
         */
        public Rule withIdleStateTime(final Duration time)
        {
            return new Rule(id, view, text, schema, orderingConstraint, partitionExpression, active, position, params,
                positions, time, maxAttempts);
        }

        /**
         * Returns this rule with a bound for the partial matches of its patterns.
         *
         * @param attempts in a partition; {@code null} = the processor's
         * @return a copy
         */
        public Rule withMaxAttempts(final Integer attempts)
        {
            return new Rule(id, view, text, schema, orderingConstraint, partitionExpression, active, position, params,
                positions, idleStateTime, attempts);
        }

        /**
         * Returns the id in the configuration file, which selectors may use instead of the id of the rule.
         *
         * @return the id without that of the params
         */
        public String writtenId()
        {
            return params == null ? id : id.substring(0, id.length() - params.id().length() - 1);
        }
    }

    /**
     * Values for the placeholders of a query.
     *
     * @param id       id of the {@code params} element
     * @param values   values of {@code :1}, {@code :2} ... in order
     * @param position position of the element
     */
    public record Params(String id, List<String> values, SourcePosition position)
    {
        /** Copies the list. */
        public Params
        {
            values = List.copyOf(values);
        }
    }
}

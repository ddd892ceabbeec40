package dev.millrace.cql.processor;

import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.CqlException;
import dev.millrace.cql.language.RuleText;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.spi.PlannedProcessor;
import dev.millrace.network.spi.ProcessorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Makes CQL processors. Keeps no state; safe for all threads.
 *
 * <p>Failure: everything that is wrong with the rules is reported together, each problem with its place in the
 * configuration file.
 */
public final class CqlProcessorProvider implements ProcessorProvider
{
    /** Value of {@link ProcessorProvider#PROVIDER_PROPERTY}. */
    public static final String TYPE = "cql";

    /** Bound of the planning of one rule: generous, because a machine that just starts is busy with other things. */
    private static final long PLAN_DEADLINE_MS = 20_000;

    private final RulePlanner planner = new RulePlanner(PLAN_DEADLINE_MS);

    @Override
    public PlannedProcessor plan(final ProcessorStage definition, final Map<String, InputChannel> channels)
        throws DeploymentException
    {
        final Catalog catalog = catalog(definition, channels);
        final List<RuleText> rules = definition.rules().stream()
            .filter(ProcessorStage.Rule::active)
            .map(rule -> new RuleText(rule.id(), rule.view(), rule.text(), rule.schema(), rule.orderingConstraint(),
                rule.partitionExpression()))
            .toList();
        final ClassLoader before = BundleClasses.enter();
        try
        {
            final ProcessorPlan plan = planner.plan(definition.id(), rules, catalog);
            return new PlannedCqlProcessor(definition, plan, planner.explain(plan));
        }
        catch (final CqlException failure)
        {
            throw RuleProblems.inFile(definition, failure);
        }
        finally
        {
            BundleClasses.leave(before);
        }
    }

    private static Catalog catalog(final ProcessorStage definition, final Map<String, InputChannel> channels)
        throws DeploymentException
    {
        final Catalog.Builder catalog = Catalog.builder();
        channels.values().forEach(channel ->
            catalog.channel(channel.id(), channel.eventType(), channel.relation(), channel.totalOrder()));
        final List<Problem> problems = new ArrayList<>();
        definition.cacheSources().forEach((name, source) ->
        {
            try
            {
                catalog.cache(name, source.settings().valueType(), source.settings().keyProperties());
            }
            catch (final IllegalArgumentException | NullPointerException unusable)
            {
                problems.add(new Problem(ProcessorErrors.CACHE_NOT_USABLE, definition.position(),
                    "rules cannot read a cache, cache=" + name + " reason=" + unusable.getMessage(),
                    "give the cache a value-type with its key-properties, and a name that no channel has", ""));
            }
        });
        if (!problems.isEmpty())
        {
            throw new DeploymentException(problems);
        }
        return catalog.build();
    }
}

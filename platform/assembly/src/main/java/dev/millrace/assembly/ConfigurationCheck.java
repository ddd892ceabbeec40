package dev.millrace.assembly;

import dev.millrace.assembly.config.ComponentConfiguration;
import dev.millrace.assembly.epn.AttributeReader;
import dev.millrace.assembly.epn.CacheDeclaration;
import dev.millrace.assembly.epn.ElementReference;
import dev.millrace.assembly.epn.EpnModel;
import dev.millrace.assembly.epn.StageDeclaration;
import dev.millrace.assembly.epn.StageDeclaration.Kind;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Located;
import dev.millrace.network.definition.ProcessorStage.Rule;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Checks the configuration of components against the assembly files. Not thread-safe. */
final class ConfigurationCheck
{
    /** Maximum number of threads of a processor. */
    static final int MAX_WORKERS = 256;
    /** A hundred years. */
    private static final long MAX_MILLIS = 100L * 366 * 24 * 3_600 * 1_000;
    private static final int MAX_BUFFER = 1_000_000;

    private final EpnModel model;
    private final ComponentConfiguration configuration;
    private final Problems problems;
    private final AttributeReader values;

    ConfigurationCheck(final EpnModel model, final ComponentConfiguration configuration)
    {
        this.model = model;
        this.configuration = configuration;
        this.problems = model.problems();
        this.values = new AttributeReader(problems, Located::value);
    }

    void check()
    {
        configuration.components().values().forEach(this::component);
        model.stages().values().stream().filter(stage -> stage.kind() == Kind.PROCESSOR).forEach(this::rules);
        configuration.processors().forEach((name, processor) ->
            values.number("workers", processor.workers(), 0, 1, MAX_WORKERS));
        configuration.channels().forEach(this::channel);
        configuration.cachingSystems().forEach(this::cachingSystem);
    }

    private void component(final ComponentConfiguration.Component component)
    {
        final String name = component.name().value();
        final String element = component.element();
        final Collection<String> known = element.equals("caching-system") ? model.cachingSystems().keySet() :
            model.stages().values().stream().filter(stage -> stage.kind().elementName().equals(element))
                .map(StageDeclaration::id).toList();
        if (known.contains(name))
        {
            return;
        }
        final StageDeclaration other = model.stages().get(name);
        problems.add(AssemblyErrorCode.UNKNOWN_COMPONENT, component.name().position(),
            other == null ? "configuration of a component that is not in the assembly files, element=" + element +
                " name=" + name : "the component is of a different kind, element=" + element + " name=" + name +
                " declared=" + other.kind().elementName() + " at " + other.position(),
            other == null ? Suggestions.hint(name, "components of this kind", known) :
                "use the element " + other.kind().elementName());
    }

    private void rules(final StageDeclaration processor)
    {
        final ComponentConfiguration.Processor configured = configuration.processors().get(processor.id());
        if (hasNoRules(processor.id()) && !problems.hasUnreadableFile())
        {
            problems.add(AssemblyErrorCode.NO_RULES, configured == null ? processor.position() : configured.position(),
                "the processor has no rules, processor=" + processor.id(),
                "add <processor><name>" + processor.id() + "</name><rules>...</rules></processor> to a file in " +
                    "META-INF/wlevs");
        }
    }

    private boolean hasNoRules(final String processor)
    {
        final ComponentConfiguration.Processor configured = configuration.processors().get(processor);
        return configured == null || configured.rules().isEmpty();
    }

    private void channel(final String name, final ComponentConfiguration.Channel channel)
    {
        values.number("max-size", channel.maxSize(), 0, 0, AttributeReader.MAX_SIZE_EVENTS);
        values.number("max-threads", channel.maxThreads(), 0, 0, AttributeReader.MAX_THREADS);
        values.number("heartbeat", channel.heartbeatNs(), 0, 0, Long.MAX_VALUE);
        final StageDeclaration declared = model.stages().get(name);
        if (declared == null || declared.kind() != Kind.CHANNEL)
        {
            return;
        }
        if (channel.heartbeatNs() != null && declared.applicationTimestamped() != null)
        {
            problems.add(AssemblyErrorCode.CONTRADICTION, channel.heartbeatNs().position(),
                "a channel with application time has no heartbeat, channel=" + name,
                "remove heartbeat, or application-timestamped from the assembly file");
        }
        selector(declared, channel.selector());
    }

    private void selector(final StageDeclaration channel, final List<Located> selector)
    {
        if (selector.isEmpty())
        {
            return;
        }
        final Set<String> queries = new TreeSet<>();
        final Set<String> views = new TreeSet<>();
        final Set<String> above = processorsAbove(channel);
        if (above.stream().anyMatch(stage -> model.stages().containsKey(stage) &&
            model.stages().get(stage).kind() == Kind.PROCESSOR && hasNoRules(stage)))
        {
            // Missing rules are reported at the processor, with their cause.
            return;
        }
        for (final String processor : above)
        {
            final ComponentConfiguration.Processor configured = configuration.processors().get(processor);
            for (final Rule rule : configured == null ? List.<Rule>of() : configured.rules())
            {
                (rule.view() ? views : queries).add(rule.id());
            }
            queries.addAll(configured == null ? Set.of() : configured.bound().keySet());
        }
        for (final Located name : selector)
        {
            if (!queries.contains(name.value()))
            {
                final boolean view = views.contains(name.value());
                problems.add(AssemblyErrorCode.DANGLING_REFERENCE, name.position(), view ?
                    "a view has no output, channel=" + channel.id() + " selector=" + name.value() :
                    "no processor above the channel has such a query, channel=" + channel.id() + " selector=" +
                        name.value(),
                    Suggestions.hint(name.value(), "queries", queries));
            }
        }
    }

    private Set<String> processorsAbove(final StageDeclaration channel)
    {
        final Set<String> above = new LinkedHashSet<>();
        channel.sources().stream().map(ElementReference::target).forEach(above::add);
        for (final StageDeclaration stage : model.stages().values())
        {
            if (stage.listeners().stream().anyMatch(link -> link.target().equals(channel.id())))
            {
                above.add(stage.id());
            }
        }
        return above;
    }

    private void cachingSystem(final String name, final ComponentConfiguration.CachingSystem system)
    {
        for (final Map<String, Located> cache : system.caches().values())
        {
            values.number("max-size", cache.get("max-size"), 1, 1, Integer.MAX_VALUE);
            values.number("time-to-live", cache.get("time-to-live"), 1, 1, MAX_MILLIS);
            values.number("batch-size", cache.get("batch-size"), 1, 1, MAX_BUFFER);
            values.number("buffer-size", cache.get("buffer-size"), 1, 1, MAX_BUFFER);
            values.number("buffer-write-attempts", cache.get("buffer-write-attempts"), 1, 1, MAX_BUFFER);
            values.number("buffer-write-timeout", cache.get("buffer-write-timeout"), 1, 0, MAX_MILLIS);
        }
        final List<String> caches = model.caches().values().stream()
            .filter(cache -> cache.system() != null && cache.system().target().equals(name))
            .map(CacheDeclaration::name).toList();
        for (final Located cache : system.names())
        {
            if (!caches.contains(cache.value()))
            {
                problems.add(AssemblyErrorCode.UNKNOWN_COMPONENT, cache.position(),
                    "configuration of a cache that is not in the assembly files, caching-system=" + name + " cache=" +
                        cache.value(), Suggestions.hint(cache.value(), "caches of this system", caches));
            }
        }
    }
}

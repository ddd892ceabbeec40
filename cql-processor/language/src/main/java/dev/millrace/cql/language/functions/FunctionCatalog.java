package dev.millrace.cql.language.functions;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.types.FunctionLookup;
import dev.millrace.cql.plan.expression.FunctionRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * All functions that a statement can call: built-in functions and those of the application.
 *
 * <pre>
 *   FunctionCatalog.builtIn()  ── withFunction(...), withAggregate(...) ──►  the catalog of an application
 *
 *   scalars("substr")  ──►  [ (char, int) char,  (char, int, int) char ]     target = {@link FunctionRef}
 *   aggregates("mean") ──►  [ (double) double ]                              target = {@link AggregateTarget}
 * </pre>
 *
 * <p>Names are case-insensitive. The caller converts arguments to the types of the signature, except that arguments of
 * type {@code object} are passed unchanged. {@code count}, {@code sum}, {@code avg}, {@code min} and {@code max} are
 * implemented in the engine and have no signatures here. Immutable.
 */
public final class FunctionCatalog implements FunctionLookup
{
    private static final FunctionCatalog BUILT_IN = read();

    private final Map<String, List<Signature>> scalars;
    private final Map<String, List<Signature>> aggregates;
    private final List<FunctionDescription> descriptions;
    private final Collection<String> names;

    /**
     * The implementation of an aggregate.
     *
     * @param name        lower-case key of the aggregate in the bindings of a flow
     * @param incremental whether rows can be removed
     * @param factory     constant of {@code dev.millrace.cql.functions.Aggregates}; {@code null} for an application
     *     aggregate
     */
    public record AggregateTarget(String name, boolean incremental, String factory)
    {
    }

    private FunctionCatalog(
        final Map<String, List<Signature>> scalars, final Map<String, List<Signature>> aggregates,
        final List<FunctionDescription> descriptions, final Collection<String> names)
    {
        this.scalars = scalars;
        this.aggregates = aggregates;
        this.descriptions = List.copyOf(descriptions);
        this.names = List.copyOf(names);
    }

    private static FunctionCatalog read()
    {
        final Map<String, List<Signature>> scalars = caseless();
        final Map<String, List<Signature>> aggregates = caseless();
        final Map<String, Boolean> names = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        final List<FunctionDescription> descriptions = new ArrayList<>();
        for (final CatalogReader.Line line : CatalogReader.read("functions.txt", false))
        {
            descriptions.add(line.description());
            names.put(line.description().name(), true);
            add(scalars, line.description().name(), line.signatures(line.function()));
        }
        for (final CatalogReader.Line line : CatalogReader.read("aggregates.txt", true))
        {
            final String name = line.description().name();
            descriptions.add(line.description());
            names.put(name, true);
            if (!line.has('b'))
            {
                add(aggregates, name, line.signatures(
                    new AggregateTarget(name.toLowerCase(Locale.ROOT), line.has('i'), line.target())));
            }
        }
        return new FunctionCatalog(scalars, aggregates, descriptions, names.keySet());
    }

    private static Map<String, List<Signature>> caseless()
    {
        return new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    }

    private static void add(
        final Map<String, List<Signature>> all, final String name, final List<Signature> signatures)
    {
        final List<Signature> together = new ArrayList<>(all.getOrDefault(name, List.of()));
        together.addAll(signatures);
        all.put(name, List.copyOf(together));
    }

    /** The built-in functions; always the same object. */
    public static FunctionCatalog builtIn()
    {
        return BUILT_IN;
    }

    /**
     * Adds an application function. It takes precedence over others of the same name that match a call equally well.
     *
     * @param signature signature whose target is a {@link FunctionRef}
     */
    public FunctionCatalog withFunction(final String name, final Signature signature)
    {
        return new FunctionCatalog(first(scalars, name, signature), aggregates, descriptions, named(name));
    }

    /**
     * Adds an application aggregate. It takes precedence over others of the same name that match a call equally well.
     *
     * @param incremental whether rows can be removed
     * @return catalog with the aggregate; the flow's bindings must contain its factory under the lower-case name
     */
    public FunctionCatalog withAggregate(
        final String name, final List<CqlType> arguments, final CqlType result, final boolean incremental)
    {
        final Signature signature = new Signature(arguments, false, result,
            new AggregateTarget(name.toLowerCase(Locale.ROOT), incremental, null));
        return new FunctionCatalog(scalars, first(aggregates, name, signature), descriptions, named(name));
    }

    private static Map<String, List<Signature>> first(
        final Map<String, List<Signature>> all, final String name, final Signature signature)
    {
        final Map<String, List<Signature>> copy = caseless();
        copy.putAll(all);
        copy.remove(name);
        add(copy, name, List.of(signature));
        add(copy, name, all.getOrDefault(name, List.of()));
        return copy;
    }

    private List<String> named(final String name)
    {
        final List<String> all = new ArrayList<>(names);
        if (all.stream().noneMatch(name::equalsIgnoreCase))
        {
            all.add(name);
        }
        return all;
    }

    @Override
    public List<Signature> scalars(final String name)
    {
        return scalars.getOrDefault(name, List.of());
    }

    @Override
    public List<Signature> aggregates(final String name)
    {
        return aggregates.getOrDefault(name, List.of());
    }

    @Override
    public Collection<String> names()
    {
        return names;
    }

    /** The documentation of the built-in functions, one entry per overload, in the order of the reference. */
    public List<FunctionDescription> descriptions()
    {
        return descriptions;
    }
}

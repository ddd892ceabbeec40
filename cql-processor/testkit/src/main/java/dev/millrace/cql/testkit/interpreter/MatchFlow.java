package dev.millrace.cql.testkit.interpreter;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** MATCH_RECOGNIZE over a stream. */
final class MatchFlow extends Source.Flow
{
    private final Flow input;
    private final Matcher matcher;
    private final int[] keys;

    private MatchFlow(
        final Flow input, final List<String> names, final List<Type> types, final Matcher matcher, final int[] keys)
    {
        super(names, types, input.bases);
        this.input = input;
        this.matcher = matcher;
        this.keys = keys;
    }

    /** Binds a clause over a stream whose columns have the given names. */
    static MatchFlow of(final Flow input, final List<String> columns, final Tree.Match match)
    {
        final Scope scope = new Scope();
        scope.add("", columns, input.types, true);
        final List<String> names = new ArrayList<>();
        variables(match.pattern(), names);
        if (names.size() > 60)
        {
            throw new Refused("more than 60 variables");
        }
        final Map<String, Long> masks = masks(match, names);
        final Typed[] conditions = new Typed[names.size()];
        for (final Tree.Item define : match.defines())
        {
            final int variable = names.indexOf(define.alias());
            if (variable < 0)
            {
                throw new Refused("DEFINE of " + define.alias() + ", which is no variable of PATTERN");
            }
            if (conditions[variable] != null)
            {
                throw new Refused("variable " + define.alias() + " is defined twice");
            }
            conditions[variable] = new MatchBinder(scope, masks, names, define.alias()).condition(define.expr());
        }
        final MatchBinder binder = new MatchBinder(scope, masks, names, null);
        final List<Typed> measures = new ArrayList<>();
        final List<String> outputs = new ArrayList<>();
        for (final Tree.Item measure : match.measures())
        {
            if (outputs.contains(measure.alias()))
            {
                throw new Refused("duplicate measure " + measure.alias());
            }
            outputs.add(measure.alias());
            measures.add(binder.bind(measure.expr(), false));
        }
        final int[] keys = match.partition().stream().mapToInt(name -> index(columns, name)).toArray();
        match.order().stream().filter(name -> !name.equals(Scope.TIME)).forEach(name -> index(columns, name));
        final long skipTo = match.skipTo() == null ? 0 : masks.getOrDefault(match.skipTo(), 0L);
        if (match.skipTo() != null && skipTo == 0)
        {
            throw new Refused("AFTER MATCH SKIP to the unknown variable " + match.skipTo());
        }
        return new MatchFlow(input, outputs, measures.stream().map(Typed::type).toList(),
            new Matcher(match, names, conditions, measures, skipTo), keys);
    }

    private static int index(final List<String> columns, final String name)
    {
        if (!columns.contains(name))
        {
            throw new Refused("unknown attribute " + name);
        }
        return columns.indexOf(name);
    }

    private static void variables(final Tree.Pattern pattern, final List<String> names)
    {
        if (pattern instanceof Tree.Var variable)
        {
            if (!names.contains(variable.name()))
            {
                names.add(variable.name());
            }
        }
        else if (pattern instanceof Tree.Quant quant)
        {
            variables(quant.part(), names);
        }
        else if (pattern instanceof Tree.Exclude exclude)
        {
            variables(exclude.part(), names);
        }
        else if (pattern instanceof Tree.Nothing)
        {
            return;
        }
        else
        {
            (pattern instanceof Tree.Seq seq ? seq.parts() : ((Tree.Alt)pattern).parts())
                .forEach(part -> variables(part, names));
        }
    }

    private static Map<String, Long> masks(final Tree.Match match, final List<String> names)
    {
        final Map<String, Long> masks = new HashMap<>();
        for (int i = 0; i < names.size(); i++)
        {
            masks.put(names.get(i), 1L << i);
        }
        final Set<String> variables = Set.copyOf(names);
        for (final Tree.Subset subset : match.subsets())
        {
            long mask = 0;
            for (final String member : subset.members())
            {
                if (!variables.contains(member))
                {
                    throw new Refused(member + " in SUBSET is no variable of PATTERN");
                }
                mask |= masks.get(member);
            }
            if (masks.put(subset.name(), mask) != null)
            {
                throw new Refused("SUBSET " + subset.name() + " has the name of a variable");
            }
        }
        return masks;
    }

    @Override
    List<Item> compute(final Run run)
    {
        final long progress = run.progress(this);
        final Map<Row, List<Item>> partitions = new LinkedHashMap<>();
        final Map<Item, Integer> places = new java.util.IdentityHashMap<>();
        for (final Item item : input.items(run))
        {
            if (item.time() <= progress)
            {
                partitions.computeIfAbsent(item.row().columns(keys), key -> new ArrayList<>()).add(item);
                places.put(item, places.size());
            }
        }
        final List<Matcher.Hit> hits = new ArrayList<>();
        for (final List<Item> rows : partitions.values())
        {
            hits.addAll(matcher.run(rows, progress, run));
        }
        hits.sort(Comparator.comparingLong(Matcher.Hit::time)
            .thenComparingInt(hit -> places.get(hit.first())).thenComparingInt(Matcher.Hit::order));
        return hits.stream().map(hit -> new Item(hit.time(), hit.row())).toList();
    }
}

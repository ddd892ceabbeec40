package dev.millrace.cql.testkit.interpreter;

import dev.millrace.cql.testkit.interpreter.syntax.InvalidStatementException;
import dev.millrace.cql.testkit.interpreter.syntax.SyntaxTree;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** MATCH_RECOGNIZE over a stream. */
final class MatchRelation extends Source.Flow
{
    private final Flow input;
    private final Matcher matcher;
    private final int[] keys;

    private MatchRelation(
        final Flow input, final List<String> names, final List<Type> types, final Matcher matcher, final int[] keys)
    {
        super(names, types, input.bases);
        this.input = input;
        this.matcher = matcher;
        this.keys = keys;
    }

    /** Binds a clause over a stream whose columns have the given names. */
    static MatchRelation of(final Flow input, final List<String> columns, final SyntaxTree.Match match)
    {
        final Scope scope = new Scope();
        scope.add("", columns, input.types, true);
        final List<String> names = new ArrayList<>();
        variables(match.pattern(), names);
        if (names.size() > 60)
        {
            throw new InvalidStatementException("more than 60 variables");
        }
        final Map<String, Long> masks = masks(match, names);
        final TypedExpression[] conditions = new TypedExpression[names.size()];
        for (final SyntaxTree.Item define : match.defines())
        {
            final int variable = names.indexOf(define.alias());
            if (variable < 0)
            {
                throw new InvalidStatementException("DEFINE of " + define.alias() +
                    ", which is no variable of PATTERN");
            }
            if (conditions[variable] != null)
            {
                throw new InvalidStatementException("variable " + define.alias() + " is defined twice");
            }
            conditions[variable] = new MatchBinder(scope, masks, names, define.alias()).condition(define.expr());
        }
        final MatchBinder binder = new MatchBinder(scope, masks, names, null);
        final Outputs outputs = new Outputs(columns, input.types, match, binder);
        final int[] keys = match.partition().stream().mapToInt(name -> index(columns, name)).toArray();
        final int durationOf = match.durationOf() == null ? -1 : durationOf(match, columns, input.types);
        match.order().stream().filter(name -> !name.equals(Scope.TIME)).forEach(name -> index(columns, name));
        final long skipTo = match.skipTo() == null ? 0 : masks.getOrDefault(match.skipTo(), 0L);
        if (match.skipTo() != null && skipTo == 0)
        {
            throw new InvalidStatementException("AFTER MATCH SKIP to the unknown variable " + match.skipTo());
        }
        return new MatchRelation(input, outputs.names, outputs.values.stream().map(TypedExpression::type).toList(),
            new Matcher(match, names, conditions, outputs.values, outputs.ofRow, binder.ahead(), skipTo, durationOf),
            keys);
    }

    /** The columns of the result: with ROWS PER MATCH, they include those of the source. */
    private static final class Outputs
    {
        private final List<String> names = new ArrayList<>();
        private final List<TypedExpression> values = new ArrayList<>();
        /** Indexes of the columns of the source. */
        private final Set<Integer> ofRow = new HashSet<>();

        Outputs(final List<String> columns, final List<Type> types, final SyntaxTree.Match match,
            final MatchBinder binder)
        {
            final List<String> measured = match.measures().stream().map(SyntaxTree.Item::alias).toList();
            if (measured.size() > Set.copyOf(measured).size())
            {
                throw new InvalidStatementException("duplicate measure");
            }
            final List<String> before = match.rows() == SyntaxTree.Rows.CQL ? List.of() : match.partition();
            before.forEach(name -> add(name, index(columns, name), types, measured, binder));
            for (final SyntaxTree.Item measure : match.measures())
            {
                names.add(measure.alias());
                values.add(binder.bind(measure.expr(), false));
            }
            for (int i = 0; match.rows().every() && i < columns.size(); i++)
            {
                add(columns.get(i), i, types, measured, binder);
            }
            if (values.isEmpty())
            {
                throw new InvalidStatementException("a pattern without columns");
            }
        }

        private void add(final String name, final int column, final List<Type> types, final List<String> measured,
            final MatchBinder binder)
        {
            if (!names.contains(name) && !measured.contains(name))
            {
                ofRow.add(values.size());
                names.add(name);
                values.add(binder.own(column, types.get(column)));
            }
        }
    }

    private static int durationOf(final SyntaxTree.Match match, final List<String> columns, final List<Type> types)
    {
        final String variable = match.durationOf().qualifier();
        final Set<String> first = new HashSet<>();
        beginnings(match.pattern(), first);
        if (variable != null && match.subsets().stream().noneMatch(each -> each.name().equals(variable) &&
            each.members().containsAll(first)) && !Set.of(variable).containsAll(first))
        {
            throw new InvalidStatementException("a match need not begin with " + variable);
        }
        final int column = index(columns, match.durationOf().name());
        if (types.get(column) != Type.INT && types.get(column) != Type.BIGINT)
        {
            throw new InvalidStatementException("DURATION by a column that is no whole number");
        }
        return column;
    }

    /** Collects the variables with which a part can begin; true when it can also be empty. */
    private static boolean beginnings(final SyntaxTree.Pattern pattern, final Set<String> first)
    {
        if (pattern instanceof SyntaxTree.Var variable)
        {
            first.add(variable.name());
            return false;
        }
        if (pattern instanceof SyntaxTree.Seq seq)
        {
            return seq.parts().stream().allMatch(part -> beginnings(part, first));
        }
        if (pattern instanceof SyntaxTree.Alt alt)
        {
            return alt.parts().stream().filter(part -> beginnings(part, first)).count() > 0;
        }
        if (pattern instanceof SyntaxTree.Quant quant)
        {
            return beginnings(quant.part(), first) || quant.least() == 0;
        }
        return !(pattern instanceof SyntaxTree.Exclude exclude) || beginnings(exclude.part(), first);
    }

    private static int index(final List<String> columns, final String name)
    {
        if (!columns.contains(name))
        {
            throw new InvalidStatementException("unknown attribute " + name);
        }
        return columns.indexOf(name);
    }

    private static void variables(final SyntaxTree.Pattern pattern, final List<String> names)
    {
        if (pattern instanceof SyntaxTree.Var variable)
        {
            if (!names.contains(variable.name()))
            {
                names.add(variable.name());
            }
        }
        else if (pattern instanceof SyntaxTree.Quant quant)
        {
            variables(quant.part(), names);
        }
        else if (pattern instanceof SyntaxTree.Exclude exclude)
        {
            variables(exclude.part(), names);
        }
        else if (pattern instanceof SyntaxTree.Nothing)
        {
            return;
        }
        else
        {
            (pattern instanceof SyntaxTree.Seq seq ? seq.parts() : ((SyntaxTree.Alt)pattern).parts())
                .forEach(part -> variables(part, names));
        }
    }

    private static Map<String, Long> masks(final SyntaxTree.Match match, final List<String> names)
    {
        final Map<String, Long> masks = new HashMap<>();
        for (int i = 0; i < names.size(); i++)
        {
            masks.put(names.get(i), 1L << i);
        }
        final Set<String> variables = Set.copyOf(names);
        for (final SyntaxTree.Subset subset : match.subsets())
        {
            long mask = 0;
            for (final String member : subset.members())
            {
                if (!variables.contains(member))
                {
                    throw new InvalidStatementException(member + " in SUBSET is no variable of PATTERN");
                }
                mask |= masks.get(member);
            }
            if (masks.put(subset.name(), mask) != null)
            {
                throw new InvalidStatementException("SUBSET " + subset.name() + " has the name of a variable");
            }
        }
        return masks;
    }

    @Override
    List<Item> compute(final Evaluation run)
    {
        final long progress = run.progress(bases);
        final Map<Row, List<Item>> partitions = new LinkedHashMap<>();
        final Map<Item, Integer> places = new java.util.IdentityHashMap<>();
        for (final Item item : input.items(run))
        {
            if (item.time() <= progress || run.isLoose)
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

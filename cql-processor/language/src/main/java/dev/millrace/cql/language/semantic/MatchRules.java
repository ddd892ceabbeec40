package dev.millrace.cql.language.semantic;

import dev.millrace.cql.language.Message;
import dev.millrace.cql.language.Refusal;
import dev.millrace.cql.language.Suggestions;
import dev.millrace.cql.language.syntax.Match;
import dev.millrace.cql.language.syntax.Match.RowsKind;
import dev.millrace.cql.language.syntax.Match.Term;
import dev.millrace.cql.language.syntax.Statement.Item;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Checks of the clauses of MATCH_RECOGNIZE that precede the resolution of column names. */
final class MatchRules
{
    /** Maximum number of row positions in a pattern after its repetitions are expanded. */
    static final long MAX_PLACES = 5_000;
    /** Maximum number of optional ones among these positions. */
    static final long MAX_OPTIONAL_PLACES = 1_000;

    private final Match match;
    private final MatchVariables variables;

    MatchRules(final Match match, final MatchVariables variables)
    {
        this.match = match;
        this.variables = variables;
    }

    void check()
    {
        checkDefines();
        if (match.duration() != null && match.timerEvents() == null)
        {
            throw new Refusal(Message.DURATION_NEEDS_TIMER, match.duration().place());
        }
        if (match.timerEvents() != null && match.duration() == null)
        {
            throw new Refusal(Message.TIMER_NEEDS_DURATION, match.timerEvents());
        }
        checkOutput();
        checkPattern(match.pattern());
        final long places = places(match.pattern());
        if (places > MAX_PLACES)
        {
            throw new Refusal(Message.PATTERN_TOO_LARGE, match.pattern().place(),
                places == Long.MAX_VALUE ? "too many" : places, MAX_PLACES);
        }
        final long optional = optionalPlaces(match.pattern());
        if (optional > MAX_OPTIONAL_PLACES)
        {
            throw new Refusal(Message.PATTERN_TOO_LARGE, match.pattern().place(),
                (optional == Long.MAX_VALUE ? "too many" : optional) + " optional", MAX_OPTIONAL_PLACES);
        }
    }

    private void checkDefines()
    {
        final Set<String> defined = new HashSet<>();
        for (final Item define : match.defines())
        {
            final String name = define.alias().getSimple();
            final SqlParserPos place = define.alias().getParserPosition();
            if (variables.isSubset(name))
            {
                throw new Refusal(Message.DEFINE_SUBSET, place, name);
            }
            if (variables.indexOf(name) < 0)
            {
                if (variables.indexOf(name + "$") >= 0)
                {
                    // A name may contain the sign, so that "B$" is read as a variable.
                    throw new Refusal(Message.PATTERN_ANCHOR, match.pattern().place(), "$");
                }
                throw new Refusal(Message.DEFINE_UNKNOWN, place, name, variables.listed())
                    .withHint(Suggestions.didYouMean(name, variables.names()));
            }
            if (!defined.add(name.toLowerCase(Locale.ROOT)))
            {
                throw new Refusal(Message.DEFINE_TWICE, place, name);
            }
        }
    }

    private void checkOutput()
    {
        final Set<String> measures = new HashSet<>();
        for (final Item measure : match.measures())
        {
            if (!measures.add(measure.alias().getSimple().toLowerCase(Locale.ROOT)))
            {
                throw new Refusal(Message.DUPLICATE_MEASURE, measure.alias().getParserPosition(), measure.alias());
            }
        }
        if (match.skip() != null && match.allMatches() != null)
        {
            throw new Refusal(Message.SKIP_WITH_ALL_MATCHES, match.skip().place());
        }
        if (match.skip() != null && match.skip().variable() != null)
        {
            variables.need(match.skip().variable());
        }
        if (match.duration() != null && match.skip() != null)
        {
            throw new Refusal(Message.NOT_WITH_DURATION, match.skip().place(), "AFTER MATCH SKIP");
        }
        if (match.duration() != null && match.rows() != null && match.rows().kind() != RowsKind.ONE)
        {
            throw new Refusal(Message.NOT_WITH_DURATION, match.rows().place(), "ALL ROWS PER MATCH");
        }
    }

    private void checkPattern(final Term term)
    {
        if (term instanceof Match.Exclude exclude)
        {
            if (match.rows() == null || match.rows().kind() == RowsKind.ONE ||
                match.rows().kind() == RowsKind.ALL_WITH_UNMATCHED)
            {
                throw new Refusal(Message.EXCLUSION_NEEDS_ALL_ROWS, exclude.place());
            }
        }
        children(term).forEach(this::checkPattern);
    }

    /** The variables with which a match may begin, as a mask. */
    static long firsts(final Term term, final MatchVariables variables)
    {
        if (term instanceof Match.Variable variable)
        {
            return 1L << variables.indexOf(variable.name().getSimple());
        }
        long mask = 0;
        for (final Term child : children(term))
        {
            mask |= firsts(child, variables);
            if (term instanceof Match.Sequence && !canBeEmpty(child))
            {
                break;
            }
        }
        return mask;
    }

    private static boolean canBeEmpty(final Term term)
    {
        if (term instanceof Match.Variable)
        {
            return false;
        }
        if (term instanceof Match.Alternation alternation)
        {
            return alternation.terms().stream().anyMatch(MatchRules::canBeEmpty);
        }
        return term instanceof Match.Repeat repeat && repeat.min() == 0 ||
            children(term).stream().allMatch(MatchRules::canBeEmpty);
    }

    static List<Term> children(final Term term)
    {
        if (term instanceof Match.Sequence sequence)
        {
            return sequence.terms();
        }
        if (term instanceof Match.Alternation alternation)
        {
            return alternation.terms();
        }
        if (term instanceof Match.Permute permute)
        {
            return permute.terms();
        }
        if (term instanceof Match.Repeat repeat)
        {
            return List.of(repeat.term());
        }
        return term instanceof Match.Exclude exclude ? List.of(exclude.term()) : List.of();
    }

    /** The number of row positions in the pattern after repetitions and permutations are expanded. */
    private static long places(final Term term)
    {
        long sum = term instanceof Match.Variable ? 1 : 0;
        for (final Term child : children(term))
        {
            sum = plus(sum, places(child));
        }
        if (term instanceof Match.Repeat repeat)
        {
            final int rounds = repeat.max() == Integer.MAX_VALUE ? Math.max(1, repeat.min()) : repeat.max();
            return times(sum, rounds);
        }
        return term instanceof Match.Permute permute ? times(sum, orders(permute)) : sum;
    }

    private static long optionalPlaces(final Term term)
    {
        long sum = term instanceof Match.Empty ? 1 : 0;
        for (final Term child : children(term))
        {
            sum = plus(sum, optionalPlaces(child));
        }
        if (term instanceof Match.Repeat repeat)
        {
            final boolean unbounded = repeat.max() == Integer.MAX_VALUE;
            return plus(times(sum, unbounded ? Math.max(1, repeat.min()) : repeat.max()),
                unbounded ? 1 : repeat.max() - repeat.min());
        }
        return term instanceof Match.Permute permute ? times(sum, orders(permute)) : sum;
    }

    private static long orders(final Match.Permute permute)
    {
        long orders = 1;
        for (int i = 2; i <= permute.terms().size(); i++)
        {
            orders = times(orders, i);
        }
        return orders;
    }

    private static long plus(final long left, final long right)
    {
        return left > Long.MAX_VALUE - right ? Long.MAX_VALUE : left + right;
    }

    private static long times(final long left, final long right)
    {
        return left != 0 && left > Long.MAX_VALUE / right ? Long.MAX_VALUE : left * right;
    }

    /** Valid but probably unintended constructs. */
    List<Refusal> warnings()
    {
        final List<Refusal> warnings = new ArrayList<>();
        if (match.allMatches() == null && match.within() == null && match.duration() == null)
        {
            warn(match.pattern(), warnings);
        }
        return warnings;
    }

    /** Constructs that delay matches of other partitions when matches are emitted in order of time. */
    List<Refusal> warningsOfOrder()
    {
        final List<Refusal> warnings = new ArrayList<>();
        if (!match.partitionBy().isEmpty() && match.allMatches() == null && match.within() == null &&
            match.duration() == null)
        {
            warnOfTail(match.pattern(), warnings);
        }
        return warnings;
    }

    /** The end of a pattern that can accept another row at any time. */
    private void warnOfTail(final Term term, final List<Refusal> warnings)
    {
        if (term instanceof Match.Sequence sequence)
        {
            warnOfTail(sequence.terms().get(sequence.terms().size() - 1), warnings);
        }
        else if (term instanceof Match.Repeat repeat && repeat.greedy() && repeat.min() < repeat.max())
        {
            final String open = variablesOf(repeat).filter(name -> definition(name).filter(condition ->
                !condition.toLowerCase(Locale.ROOT).contains(MatchColumns.ELEMENT_TIME)).isPresent())
                .findFirst().orElse(null);
            if (open != null)
            {
                warnings.add(new Refusal(Message.OPEN_TAIL, repeat.place(), open));
            }
        }
        else if (term instanceof Match.Alternation || term instanceof Match.Repeat)
        {
            children(term).forEach(child -> warnOfTail(child, warnings));
        }
    }

    private static Stream<String> variablesOf(final Term term)
    {
        return term instanceof Match.Variable variable ? Stream.of(variable.name().getSimple()) :
            children(term).stream().flatMap(MatchRules::variablesOf);
    }

    /** The condition of a variable as written. */
    private Optional<String> definition(final String name)
    {
        return match.defines().stream().filter(define -> define.alias().getSimple().equalsIgnoreCase(name))
            .map(define -> define.expression().toString()).findFirst();
    }

    private void warn(final Term term, final List<Refusal> warnings)
    {
        if (term instanceof Match.Repeat repeat && repeat.greedy() && repeat.max() == Integer.MAX_VALUE)
        {
            final String endless = undefined(repeat.term());
            if (endless != null)
            {
                warnings.add(new Refusal(Message.ENDLESS_LOOP, repeat.place(), endless));
                return;
            }
        }
        children(term).forEach(child -> warn(child, warnings));
    }

    /** A variable without condition that forms a whole repetition. */
    private String undefined(final Term term)
    {
        if (term instanceof Match.Variable variable)
        {
            final String name = variable.name().getSimple();
            return definition(name).isPresent() ? null : name;
        }
        if (term instanceof Match.Sequence)
        {
            return null;
        }
        for (final Term child : children(term))
        {
            final String name = undefined(child);
            if (name != null)
            {
                return name;
            }
        }
        return null;
    }
}

package dev.millrace.cql.language.semantic;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.Suggestions;
import dev.millrace.cql.language.syntax.MatchClause;
import dev.millrace.cql.language.syntax.MatchClause.RowsKind;
import dev.millrace.cql.language.syntax.MatchClause.Term;
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
final class MatchChecks
{
    /** Maximum number of row positions in a pattern after its repetitions are expanded. */
    static final long MAX_POSITIONS = 5_000;
    /** Maximum number of optional ones among these positions. */
    static final long MAX_OPTIONAL_POSITIONS = 1_000;

    private final MatchClause match;
    private final MatchVariables variables;

    MatchChecks(final MatchClause match, final MatchVariables variables)
    {
        this.match = match;
        this.variables = variables;
    }

    void check()
    {
        checkDefines();
        if (match.duration() != null && match.timerEvents() == null)
        {
            throw new CqlRuleException(Message.DURATION_NEEDS_TIMER, match.duration().position());
        }
        if (match.timerEvents() != null && match.duration() == null)
        {
            throw new CqlRuleException(Message.TIMER_NEEDS_DURATION, match.timerEvents());
        }
        checkOutput();
        checkPattern(match.pattern());
        final long positions = positions(match.pattern());
        if (positions > MAX_POSITIONS)
        {
            throw new CqlRuleException(Message.PATTERN_TOO_LARGE, match.pattern().position(),
                positions == Long.MAX_VALUE ? "too many" : positions, MAX_POSITIONS);
        }
        final long optional = optionalPositions(match.pattern());
        if (optional > MAX_OPTIONAL_POSITIONS)
        {
            throw new CqlRuleException(Message.PATTERN_TOO_LARGE, match.pattern().position(),
                (optional == Long.MAX_VALUE ? "too many" : optional) + " optional", MAX_OPTIONAL_POSITIONS);
        }
    }

    private void checkDefines()
    {
        final Set<String> defined = new HashSet<>();
        for (final Item define : match.defines())
        {
            final String name = define.alias().getSimple();
            final SqlParserPos position = define.alias().getParserPosition();
            if (variables.isSubset(name))
            {
                throw new CqlRuleException(Message.DEFINE_SUBSET, position, name);
            }
            if (variables.indexOf(name) < 0)
            {
                if (variables.indexOf(name + "$") >= 0)
                {
                    // A name may contain the sign, so that "B$" is read as a variable.
                    throw new CqlRuleException(Message.PATTERN_ANCHOR, match.pattern().position(), "$");
                }
                throw new CqlRuleException(Message.DEFINE_UNKNOWN, position, name, variables.listed())
                    .withHint(Suggestions.didYouMean(name, variables.names()));
            }
            if (!defined.add(name.toLowerCase(Locale.ROOT)))
            {
                throw new CqlRuleException(Message.DEFINE_TWICE, position, name);
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
                throw new CqlRuleException(Message.DUPLICATE_MEASURE, measure.alias().getParserPosition(),
                    measure.alias());
            }
        }
        if (match.skip() != null && match.allMatches() != null)
        {
            throw new CqlRuleException(Message.SKIP_WITH_ALL_MATCHES, match.skip().position());
        }
        if (match.skip() != null && match.skip().variable() != null)
        {
            variables.need(match.skip().variable());
        }
        if (match.duration() != null && match.skip() != null)
        {
            throw new CqlRuleException(Message.NOT_WITH_DURATION, match.skip().position(), "AFTER MATCH SKIP");
        }
        if (match.duration() != null && match.rows() != null && match.rows().kind() != RowsKind.ONE)
        {
            throw new CqlRuleException(Message.NOT_WITH_DURATION, match.rows().position(), "ALL ROWS PER MATCH");
        }
    }

    private void checkPattern(final Term term)
    {
        if (term instanceof MatchClause.Exclude exclude)
        {
            if (match.rows() == null || match.rows().kind() == RowsKind.ONE ||
                match.rows().kind() == RowsKind.ALL_WITH_UNMATCHED)
            {
                throw new CqlRuleException(Message.EXCLUSION_NEEDS_ALL_ROWS, exclude.position());
            }
        }
        children(term).forEach(this::checkPattern);
    }

    /** The variables with which a match may begin, as a mask. */
    static long firsts(final Term term, final MatchVariables variables)
    {
        if (term instanceof MatchClause.Variable variable)
        {
            return 1L << variables.indexOf(variable.name().getSimple());
        }
        long mask = 0;
        for (final Term child : children(term))
        {
            mask |= firsts(child, variables);
            if (term instanceof MatchClause.Sequence && !canBeEmpty(child))
            {
                break;
            }
        }
        return mask;
    }

    private static boolean canBeEmpty(final Term term)
    {
        if (term instanceof MatchClause.Variable)
        {
            return false;
        }
        if (term instanceof MatchClause.Alternation alternation)
        {
            return alternation.terms().stream().anyMatch(MatchChecks::canBeEmpty);
        }
        return term instanceof MatchClause.Repeat repeat && repeat.min() == 0 ||
            children(term).stream().allMatch(MatchChecks::canBeEmpty);
    }

    static List<Term> children(final Term term)
    {
        if (term instanceof MatchClause.Sequence sequence)
        {
            return sequence.terms();
        }
        if (term instanceof MatchClause.Alternation alternation)
        {
            return alternation.terms();
        }
        if (term instanceof MatchClause.Permute permute)
        {
            return permute.terms();
        }
        if (term instanceof MatchClause.Repeat repeat)
        {
            return List.of(repeat.term());
        }
        return term instanceof MatchClause.Exclude exclude ? List.of(exclude.term()) : List.of();
    }

    /** The number of row positions in the pattern after repetitions and permutations are expanded. */
    private static long positions(final Term term)
    {
        long sum = term instanceof MatchClause.Variable ? 1 : 0;
        for (final Term child : children(term))
        {
            sum = plus(sum, positions(child));
        }
        if (term instanceof MatchClause.Repeat repeat)
        {
            final int rounds = repeat.max() == Integer.MAX_VALUE ? Math.max(1, repeat.min()) : repeat.max();
            return times(sum, rounds);
        }
        return term instanceof MatchClause.Permute permute ? times(sum, orders(permute)) : sum;
    }

    private static long optionalPositions(final Term term)
    {
        long sum = term instanceof MatchClause.Empty ? 1 : 0;
        for (final Term child : children(term))
        {
            sum = plus(sum, optionalPositions(child));
        }
        if (term instanceof MatchClause.Repeat repeat)
        {
            final boolean unbounded = repeat.max() == Integer.MAX_VALUE;
            return plus(times(sum, unbounded ? Math.max(1, repeat.min()) : repeat.max()),
                unbounded ? 1 : repeat.max() - repeat.min());
        }
        return term instanceof MatchClause.Permute permute ? times(sum, orders(permute)) : sum;
    }

    private static long orders(final MatchClause.Permute permute)
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
    List<CqlRuleException> warnings()
    {
        final List<CqlRuleException> warnings = new ArrayList<>();
        if (match.allMatches() == null && match.within() == null && match.duration() == null)
        {
            warn(match.pattern(), warnings);
        }
        return warnings;
    }

    /** Constructs that delay matches of other partitions when matches are emitted in order of time. */
    List<CqlRuleException> warningsOfOrder()
    {
        final List<CqlRuleException> warnings = new ArrayList<>();
        if (!match.partitionBy().isEmpty() && match.allMatches() == null && match.within() == null &&
            match.duration() == null)
        {
            warnOfTail(match.pattern(), warnings);
        }
        return warnings;
    }

    /** The end of a pattern that can accept another row at any time. */
    private void warnOfTail(final Term term, final List<CqlRuleException> warnings)
    {
        if (term instanceof MatchClause.Sequence sequence)
        {
            warnOfTail(sequence.terms().get(sequence.terms().size() - 1), warnings);
        }
        else if (term instanceof MatchClause.Repeat repeat && repeat.greedy() && repeat.min() < repeat.max())
        {
            final String open = variablesOf(repeat).filter(name -> definition(name).filter(condition ->
                !condition.toLowerCase(Locale.ROOT).contains(MatchColumns.ELEMENT_TIME)).isPresent())
                .findFirst().orElse(null);
            if (open != null)
            {
                warnings.add(new CqlRuleException(Message.OPEN_TAIL, repeat.position(), open));
            }
        }
        else if (term instanceof MatchClause.Alternation || term instanceof MatchClause.Repeat)
        {
            children(term).forEach(child -> warnOfTail(child, warnings));
        }
    }

    private static Stream<String> variablesOf(final Term term)
    {
        return term instanceof MatchClause.Variable variable ? Stream.of(variable.name().getSimple()) :
            children(term).stream().flatMap(MatchChecks::variablesOf);
    }

    /** The condition of a variable as written. */
    private Optional<String> definition(final String name)
    {
        return match.defines().stream().filter(define -> define.alias().getSimple().equalsIgnoreCase(name))
            .map(define -> define.expression().toString()).findFirst();
    }

    private void warn(final Term term, final List<CqlRuleException> warnings)
    {
        if (term instanceof MatchClause.Repeat repeat && repeat.greedy() && repeat.max() == Integer.MAX_VALUE)
        {
            final String endless = undefined(repeat.term());
            if (endless != null)
            {
                warnings.add(new CqlRuleException(Message.ENDLESS_LOOP, repeat.position(), endless));
                return;
            }
        }
        children(term).forEach(child -> warn(child, warnings));
    }

    /** A variable without condition that forms a whole repetition. */
    private String undefined(final Term term)
    {
        if (term instanceof MatchClause.Variable variable)
        {
            final String name = variable.name().getSimple();
            return definition(name).isPresent() ? null : name;
        }
        if (term instanceof MatchClause.Sequence)
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

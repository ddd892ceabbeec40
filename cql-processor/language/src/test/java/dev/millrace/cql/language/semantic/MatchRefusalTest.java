package dev.millrace.cql.language.semantic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of error in a pattern: code, position between carets, words. */
@Timeout(60)
class MatchRefusalTest
{
    private static final String DEFINE = " define A as A.c2 = 1";

    static Stream<Arguments> clauses()
    {
        return Stream.of(
            arguments(Message.CLAUSE_ORDER, "measures A.c1 as x ^define^ A as A.c2 = 1 pattern (A)",
                "PATTERN must come before DEFINE"),
            arguments(Message.CLAUSE_ORDER, "measures A.c1 as x ^partition^ by c1 pattern (A)" + DEFINE, ""),
            arguments(Message.CLAUSE_ORDER, "measures A.c1 as x ^order^ by c1 pattern (A)" + DEFINE, ""),
            arguments(Message.CLAUSE_ORDER, "measures A.c1 as x pattern (A) ^all^ matches" + DEFINE, ""),
            arguments(Message.CLAUSE_ORDER, "measures A.c1 as x all matches ^one^ row per match pattern (A)" + DEFINE,
                ""),
            arguments(Message.CLAUSE_ORDER, "measures A.c1 as x pattern (A) subset U = (A) ^within^ 5" + DEFINE, ""),
            arguments(Message.CLAUSE_ORDER, "measures A.c1 as x pattern (A)" + DEFINE + " ^subset^ U = (A)", ""),
            arguments(Message.CLAUSE_ORDER, "measures A.c1 as x pattern (A) ^include^ timer events duration 5" + DEFINE,
                ""),
            arguments(Message.CLAUSE_TWICE, "measures A.c1 as x ^measures^ A.c1 as y pattern (A)" + DEFINE, ""),
            arguments(Message.CLAUSE_TWICE, "measures A.c1 as x pattern (A) ^pattern^ (A)" + DEFINE, ""),
            arguments(Message.CLAUSE_TWICE, "measures A.c1 as x pattern (A) within 5 ^within^ 6" + DEFINE, ""),
            arguments(Message.CLAUSE_TWICE, "measures A.c1 as x one row per match ^all^ rows per match pattern (A)" +
                DEFINE, ""),
            arguments(Message.CLAUSE_MISSING, "pattern (A) define A as A.c2 = 1^)^", "needs MEASURES"),
            arguments(Message.CLAUSE_MISSING, "measures A.c1 as x pattern (A)^)^", "needs DEFINE"),
            arguments(Message.CLAUSE_MISSING, "measures A.c1 as x^)^", "needs PATTERN"),
            arguments(Message.MISSPELT_KEYWORD, "measures A.c1 as x ^patern^ (A)" + DEFINE, "did you mean PATTERN?"),
            arguments(Message.MISSPELT_KEYWORD, "measures A.c1 as x pattern (A) ^wihtin^ 5" + DEFINE, "WITHIN?"),
            arguments(Message.MISSPELT_KEYWORD, "measures A.c1 as x after match ^skp^ past last row pattern (A)" +
                DEFINE, "did you mean SKIP?"),
            arguments(Message.UNEXPECTED_TOKEN, "measures A.c1 ^,^ pattern (A)" + DEFINE, "AS and the name"),
            arguments(Message.UNEXPECTED_TOKEN, "measures A.c1 as x pattern (A) define A ^=^ A.c2", "AS and the cond"),
            arguments(Message.WITHIN_AND_DURATION,
                "measures A.c1 as x include timer events pattern (A B*) within 5 seconds ^duration^ 5" + DEFINE, ""),
            arguments(Message.WITHIN_AND_DURATION,
                "measures A.c1 as x include timer events pattern (A B*) duration 5 ^within^ 5 seconds" + DEFINE, ""),
            arguments(Message.DURATION_NEEDS_TIMER, "measures A.c1 as x pattern (A) ^duration^ 5" + DEFINE, ""),
            arguments(Message.TIMER_NEEDS_DURATION, "measures A.c1 as x ^include timer events^ pattern (A)" + DEFINE,
                ""),
            arguments(Message.NOT_POSITIVE, "measures A.c1 as x pattern (A) within ^0 seconds^" + DEFINE, ""),
            arguments(Message.NOT_POSITIVE, "measures A.c1 as x include timer events pattern (A) duration ^-5^" +
                DEFINE, ""),
            arguments(Message.SKIP_WITH_ALL_MATCHES,
                "measures A.c1 as x ^after match skip to next row^ all matches pattern (A)" + DEFINE, ""),
            arguments(Message.NOT_WITH_DURATION, "measures A.c1 as x ^after match skip to next row^ include timer " +
                "events pattern (A) duration 5" + DEFINE, "AFTER MATCH SKIP cannot"),
            arguments(Message.NOT_WITH_DURATION, "measures A.c1 as x ^all rows per match^ include timer events " +
                "pattern (A) duration 5" + DEFINE, "ALL ROWS PER MATCH cannot"),
            arguments(Message.UNKNOWN_VARIABLE, "measures A.c1 as x after match skip to first ^X^ pattern (A)" + DEFINE,
                "variables: A"),
            arguments(Message.PATTERN_ORDER, "order by ^c1^ measures A.c1 as x pattern (A)" + DEFINE, "by c1"),
            arguments(Message.PATTERN_ORDER, "order by element_time, ^c1^ measures A.c1 as x pattern (A)" + DEFINE, ""),
            arguments(Message.UNKNOWN_COLUMN, "order by ^zz^ measures A.c1 as x pattern (A)" + DEFINE, "no column zz"),
            arguments(Message.UNKNOWN_COLUMN, "partition by ^pryce^ measures A.c1 as x pattern (A)" + DEFINE,
                "did you mean price"),
            arguments(Message.UNKNOWN_COLUMN, "partition by ^element_time^ measures A.c1 as x pattern (A)" + DEFINE,
                ""),
            arguments(Message.UNKNOWN_QUALIFIER, "partition by ^Q^.c1 measures A.c1 as x pattern (A)" + DEFINE, ""));
    }

    static Stream<Arguments> patterns()
    {
        return Stream.of(
            arguments(Message.EMPTY_PATTERN, "measures A.c1 as x pattern (^)^" + DEFINE, ""),
            arguments(Message.EMPTY_PATTERN, "measures A.c1 as x pattern (A | ^)^" + DEFINE, ""),
            arguments(Message.EMPTY_PATTERN, "measures A.c1 as x pattern (^|^ A)" + DEFINE, ""),
            arguments(Message.EMPTY_PATTERN, "measures A.c1 as x pattern (permute(A, ^)^)" + DEFINE, ""),
            arguments(Message.QUANTIFIER_TWICE, "measures A.c1 as x pattern (A+^*^)" + DEFINE, ""),
            arguments(Message.QUANTIFIER_TWICE, "measures A.c1 as x pattern (A*?^?^)" + DEFINE, ""),
            arguments(Message.QUANTIFIER_TWICE, "measures A.c1 as x pattern (A{2}^{^3})" + DEFINE, ""),
            arguments(Message.QUANTIFIER_BOUNDS, "measures A.c1 as x pattern (A^{3,2}^)" + DEFINE, ""),
            arguments(Message.QUANTIFIER_BOUNDS, "measures A.c1 as x pattern (A^{0}^)" + DEFINE, ""),
            arguments(Message.UNEXPECTED_TOKEN, "measures A.c1 as x pattern (A{^}^)" + DEFINE, "number of repetitions"),
            arguments(Message.UNEXPECTED_TOKEN, "measures A.c1 as x pattern (A{^}^)" + DEFINE, "number of repetitions"),
            arguments(Message.PATTERN_ANCHOR, "measures A.c1 as x pattern (A ^$^)" + DEFINE, "$ has no meaning"),
            arguments(Message.PATTERN_ANCHOR, "measures A.c1 as x pattern (^$^ A)" + DEFINE, "$ has no meaning"),
            arguments(Message.PATTERN_ANCHOR, "measures B.c1 as x pattern (^B A$^)" + DEFINE, "$ has no meaning"),
            arguments(Message.DURATION_OF_FIRST_ROW, "measures A.c1 as x include timer events pattern (A? B) " +
                "duration ^A.c2^ minutes" + DEFINE, "need not be of A"),
            arguments(Message.DURATION_OF_FIRST_ROW, "measures A.c1 as x include timer events pattern (A B) " +
                "duration ^B.c2^" + DEFINE, "let PATTERN begin with B"),
            arguments(Message.DURATION_NOT_WHOLE, "measures A.c1 as x include timer events pattern (A B*) " +
                "duration ^price^ seconds" + DEFINE, "type=double"),
            arguments(Message.UNKNOWN_COLUMN, "measures A.c1 as x include timer events pattern (A B*) " +
                "duration ^patience^" + DEFINE, "no column patience"),
            arguments(Message.BAD_NUMBER, "measures A.c1 as x pattern (A{^1.5^})" + DEFINE, ""),
            arguments(Message.UNEXPECTED_TOKEN, "measures A.c1 as x pattern (A {- B^)^" + DEFINE, "'-}'"),
            arguments(Message.UNEXPECTED_TOKEN, "measures A.c1 as x pattern (A^,^ B)" + DEFINE, ""),
            arguments(Message.UNEXPECTED_TOKEN, "measures A.c1 as x pattern (^*^ A)" + DEFINE, "a variable"),
            arguments(Message.PATTERN_TOO_LARGE, "measures A.c1 as x pattern (^A{101} A{100} A{9900}^)" + DEFINE,
                "10101 positions"),
            arguments(Message.PATTERN_TOO_LARGE, "measures A.c1 as x pattern (A^{0,1001}^)" + DEFINE,
                "1001 optional positions"),
            arguments(Message.PATTERN_TOO_LARGE, "measures A.c1 as x pattern (^(A?){600} (B*){3,401}^)" + DEFINE,
                "1399 optional positions"),
            arguments(Message.PATTERN_TOO_LARGE, "measures A.c1 as x pattern (^(){2000} A^)" + DEFINE, "2000 optional"),
            arguments(Message.PATTERN_TOO_LARGE,
                "measures A.c1 as x pattern (^permute(A, B, C, D, E, F, G, H)^)" + DEFINE, ""),
            arguments(Message.PATTERN_TOO_LARGE,
                "measures A.c1 as x pattern (((((A{9999}){9999}){9999}){9999})^{9999}^)" + DEFINE,
                "too many positions"),
            arguments(Message.EXCLUSION_NEEDS_ALL_ROWS, "measures A.c1 as x pattern (A ^{- B+ -}^)" + DEFINE, ""),
            arguments(Message.EXCLUSION_NEEDS_ALL_ROWS, "measures A.c1 as x all rows per match with unmatched rows " +
                "pattern (A ^{- B -}^)" + DEFINE, ""),
            arguments(Message.SUBSET_MEMBER, "measures A.c1 as x pattern (A B) subset U = (A, ^X^)" + DEFINE, ""),
            arguments(Message.SUBSET_MEMBER, "measures A.c1 as x pattern (A B) subset U = (A), V = (^U^)" + DEFINE,
                "U in SUBSET is not a variable"),
            arguments(Message.SUBSET_NAME, "measures A.c1 as x pattern (A B) subset ^B^ = (A)" + DEFINE, ""),
            arguments(Message.SUBSET_NAME, "measures A.c1 as x pattern (A B) subset U = (A) ^u^ = (B)" + DEFINE, ""),
            arguments(Message.DEFINE_UNKNOWN, "measures A.c1 as x pattern (A) define A as A.c2 = 1, ^B^ as B.c2 = 2",
                "variable B is defined"),
            arguments(Message.DEFINE_UNKNOWN,
                "measures A.c1 as x pattern (A down) define ^dwn^ as A.c2 = 1", "did you mean down"),
            arguments(Message.DEFINE_SUBSET, "measures A.c1 as x pattern (A B) subset U = (A, B) define ^U^ as " +
                "U.c2 = 1", ""),
            arguments(Message.DEFINE_TWICE, "measures A.c1 as x pattern (A) define A as A.c2 = 1, ^a^ as A.c2 = 2",
                ""));
    }

    static Stream<Arguments> values()
    {
        return Stream.of(
            arguments(Message.DUPLICATE_MEASURE, "measures A.c1 as x, A.c2 as ^X^ pattern (A)" + DEFINE, ""),
            arguments(Message.UNKNOWN_VARIABLE, "measures ^X^.c1 as x pattern (A) subset U = (A)" + DEFINE, "A, U"),
            arguments(Message.UNKNOWN_VARIABLE, "measures count(^X^.*) as x pattern (A)" + DEFINE, ""),
            arguments(Message.UNKNOWN_VARIABLE, "measures classifier(^X^) as x pattern (A)" + DEFINE, ""),
            arguments(Message.UNKNOWN_VARIABLE, "measures A.c1 as x pattern (A) define A as ^S^.c1 = 1", ""),
            arguments(Message.UNKNOWN_COLUMN, "measures A.^zz^ as x pattern (A)" + DEFINE, "S has no column zz"),
            arguments(Message.UNKNOWN_COLUMN, "measures ^zz^ as x pattern (A)" + DEFINE, ""),
            arguments(Message.UNKNOWN_COLUMN, "measures last(^A^) as x pattern (A)" + DEFINE, ""),
            arguments(Message.UNKNOWN_COLUMN, "measures A.c1 as x pattern (A) define A as A.^zz^ = 1", ""),
            arguments(Message.PREV_OTHER_VARIABLE,
                "measures A.c1 as x pattern (A B) define B as B.c2 < ^prev(A.c2, 2)^", "prev(B.c2)"),
            arguments(Message.PREV_OTHER_VARIABLE,
                "measures A.c1 as x pattern (A B) subset U = (A, B) define B as B.c2 < ^prev(U.c2)^", ""),
            arguments(Message.PREV_OTHER_VARIABLE,
                "measures A.c1 as x pattern (A B) subset U = (B) define B as B.c2 < ^prev(U.c2)^", ""),
            arguments(Message.NESTED_AGGREGATE, "measures sum(^count(A.c1)^) as x pattern (A+ B)" + DEFINE, ""),
            arguments(Message.NESTED_AGGREGATE, "measures sum(1 + ^count(*)^) as x pattern (A+ B)" + DEFINE, ""),
            arguments(Message.NESTED_NAVIGATION, "measures sum(^prev(A.c1)^) as x pattern (A+ B)" + DEFINE,
                "prev cannot be nested in an aggregate"),
            arguments(Message.NESTED_NAVIGATION, "measures prev(^sum(A.c1)^) as x pattern (A+ B)" + DEFINE, ""),
            arguments(Message.NESTED_NAVIGATION, "measures first(^prev(A.c1)^) as x pattern (A+ B)" + DEFINE, ""),
            arguments(Message.NESTED_NAVIGATION, "measures first(^last(A.c1)^) as x pattern (A+ B)" + DEFINE, ""),
            arguments(Message.NESTED_NAVIGATION, "measures prev(^prev(A.c1)^) as x pattern (A+ B)" + DEFINE, ""),
            arguments(Message.NESTED_NAVIGATION, "measures prev(^match_number()^) as x pattern (A+ B)" + DEFINE,
                "write match_number() alone"),
            arguments(Message.SEVERAL_VARIABLES, "measures first(A.name || ^classifier(B)^) as x pattern (A+ B)" +
                DEFINE, "more than one variable"),
            arguments(Message.OFFSET_NOT_CONSTANT, "measures last(A.c1, ^A.c2^) as x pattern (A+ B)" + DEFINE, ""),
            arguments(Message.OFFSET_NOT_CONSTANT, "measures last(A.c1, ^-1^) as x pattern (A+ B)" + DEFINE, ""),
            arguments(Message.OFFSET_NOT_CONSTANT, "measures first(A.c1, ^1.5^) as x pattern (A+ B)" + DEFINE, ""),
            arguments(Message.OFFSET_NOT_CONSTANT, "measures prev(A.c1, 1, ^A.c1^) as x pattern (A+ B)" + DEFINE, ""),
            arguments(Message.OFFSET_NOT_CONSTANT, "measures prev(A.c1, ^'1'^) as x pattern (A+ B)" + DEFINE, ""),
            arguments(Message.NOT_AVAILABLE, "measures prev(A.c1, ^100000^) as x pattern (A+ B)" + DEFINE, "10000"),
            arguments(Message.NAVIGATION_ARGUMENT, "measures prev(^5^) as x pattern (A+ B)" + DEFINE, ""),
            arguments(Message.NAVIGATION_ARGUMENT, "measures first(^1 + 2^) as x pattern (A+ B)" + DEFINE, ""),
            arguments(Message.NAVIGATION_ARGUMENT, "measures classifier(^A.c1^) as x pattern (A+ B)" + DEFINE, ""),
            arguments(Message.ARGUMENT_COUNT, "measures ^prev()^ as x pattern (A)" + DEFINE, "one to three arguments"),
            arguments(Message.ARGUMENT_COUNT, "measures ^prev(A.c1, 1, 2, 3)^ as x pattern (A)" + DEFINE, ""),
            arguments(Message.ARGUMENT_COUNT, "measures ^first(A.c1, 1, 2)^ as x pattern (A)" + DEFINE, ""),
            arguments(Message.ARGUMENT_COUNT, "measures ^match_number(A)^ as x pattern (A)" + DEFINE, "no argument"),
            arguments(Message.SEVERAL_VARIABLES, "measures sum(A.c1 * ^B.c1^) as x pattern (A B)" + DEFINE, ""),
            arguments(Message.SEVERAL_VARIABLES, "measures sum(c1 * ^B.c1^) as x pattern (A B)" + DEFINE, ""),
            arguments(Message.SEVERAL_VARIABLES, "measures prev(A.c1 * ^B.c1^) as x pattern (A B)" + DEFINE,
                "the argument of prev"),
            arguments(Message.ONLY_IN_MEASURES, "measures A.c1 as x pattern (A B) define A as ^next(A.c1)^ = 1",
                "next cannot be used in DEFINE"),
            arguments(Message.ONLY_IN_MEASURES, "measures A.c1 as x pattern (A B) define A as ^match_number()^ < 5",
                "match_number cannot be used in DEFINE"),
            arguments(Message.ONLY_IN_MEASURES,
                "measures A.c1 as x pattern (A B) define B as sum(^match_number()^ + A.c1) < 5", "test it in WHERE"),
            arguments(Message.ONLY_IN_MEASURES, "measures A.c1 as x pattern (A B) define A as ^final last(A.c1)^ = 1",
                "final"),
            arguments(Message.ONLY_IN_MEASURES,
                "measures A.c1 as x pattern (A B) define A as prev(^final last(A.c1)^) = 1", ""),
            arguments(Message.VIEW_ARGUMENT, "measures ^final prev(A.c1)^ as x pattern (A)" + DEFINE, ""),
            arguments(Message.VIEW_ARGUMENT, "measures ^running match_number()^ as x pattern (A)" + DEFINE, ""),
            arguments(Message.UNEXPECTED_TOKEN, "measures sum(^A.*^) as x pattern (A)" + DEFINE, "a column"),
            arguments(Message.UNEXPECTED_TOKEN, "measures count(distinct ^A.*^) as x pattern (A)" + DEFINE, ""),
            arguments(Message.NULL_HAS_NO_TYPE, "measures ^null^ as x pattern (A)" + DEFINE, ""),
            arguments(Message.NOT_A_VALUE, "measures ^A.c1 = 1^ as x pattern (A)" + DEFINE, ""),
            arguments(Message.NOT_A_VALUE, "measures count(^A.c1 = 1^) as x pattern (A)" + DEFINE, ""),
            arguments(Message.NOT_A_CONDITION, "measures A.c1 as x pattern (A) define A as ^A.c1 + 1^", "of type int"),
            arguments(Message.NOT_A_CONDITION, "measures A.c1 as x pattern (A) define A as ^sum(A.c1)^", ""),
            arguments(Message.OPERAND_TYPES, "measures ^A.name * 2^ as x pattern (A)" + DEFINE, ""),
            arguments(Message.AGGREGATE_TYPE, "measures ^sum(A.name)^ as x pattern (A)" + DEFINE, "sum cannot"),
            arguments(Message.BOOLEAN_ORDER, "measures A.c1 as x pattern (A) define A as ^A.flag > A.flag^", ""));
    }

    @ParameterizedTest
    @MethodSource({"clauses", "patterns", "values"})
    void shouldRefuseAtTheExactPlaceWhenPatternIsWrong(
        final Message message, final String clausesWithCarets, final String part)
    {
        MatchFixture.fails(message, clausesWithCarets, part);
    }

    @Test
    void shouldNeedAColumnAndKnowNoAnchor()
    {
        assertThat(catchThrowableOfType(CqlRuleException.class,
            () -> MatchFixture.analyze("one row per match pattern (A)" +
            DEFINE)).message()).isEqualTo(Message.CLAUSE_MISSING);
        assertThat(catchThrowableOfType(CqlRuleException.class,
            () -> MatchFixture.analyze("measures A.c1 as x pattern (^ A)" +
            DEFINE)).message()).isEqualTo(Message.PATTERN_ANCHOR);
    }

    @Test
    void shouldNeedAStream()
    {
        final SourceInfo relation =
            new SourceInfo("S", SourceInfo.Kind.RELATION, MatchFixture.SOURCE.columns(), List.of());
        final CqlRuleException refusal = catchThrowableOfType(CqlRuleException.class, () -> MatchAnalyzer.analyze(
            MatchFixture.parse("measures A.c1 as x pattern (A)" + DEFINE), relation, "", new PlanningDeadline(60_000),
            CallResolver.NOTHING));
        assertThat(refusal.message()).isEqualTo(Message.NEEDS_STREAM);
    }
}

package dev.millrace.cql.language.semantic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.types.CqlTypes;
import java.util.List;
import java.util.stream.Stream;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Types of expressions, and expressions that are refused because of their types. */
@Timeout(60)
class ExpressionTypeTest
{
    static Stream<Arguments> typed()
    {
        return Stream.of(
            "i + i: int", "i + b: bigint", "b * f: float", "f / d: double", "i - d: double", "m + i: bigdecimal",
            "m * d: bigdecimal", "-m: bigdecimal", "-i: int", "f + 1.5: float", "d + 1.5: double", "i + 1.5: double",
            "b * 1.5: double", "1.5: double", "1.5 + 2.5: double", "f + 1.5d: double", "i + 5L: bigint",
            "i + null: int", "null + d: double", "t - t: interval", "t + v: timestamp", "v + t: timestamp",
            "t - v: timestamp", "v + v: interval", "v - v: interval", "-v: interval",
            "t + interval '5' second: timestamp", "t - timestamp '2026-11-21 00:00:00': interval",
            "t - null: timestamp", "null + v: interval",
            "c || i: char", "i || d: char", "c || null: char", "t || o: char", "y || c: char", "null || c: char",
            "i = 1: boolean", "i < d: boolean", "m >= f: boolean", "c = 'x': boolean", "c = 10: boolean",
            "10 = c: boolean", "c < d: boolean", "t = '01/01/2026 00:00:00': boolean",
            "'2026-01-01T00:00:00' < t: boolean", "t > c: boolean", "v > '0 00:00:05.00': boolean",
            "o = true: boolean",
            "o <> false: boolean", "i = null: boolean", "i between 1 and 2.5: boolean",
            "c between 'a' and 'b': boolean",
            "t between '01/01/2026 00:00:00' and t: boolean", "i in (1, 2.5, b, null): boolean",
            "c in ('a', 1): boolean", "c like 'M+': boolean", "i like '^1': boolean", "null like 'x': boolean",
            "i is null: boolean", "j is not null: boolean", "o and not o or i > 1 xor o: boolean",
            "case when o then i else b end: bigint", "case when o then i end: int", "case when o then 1.5 end: double",
            "case when o then f else 1.5 end: float", "case when o then null else c end: char",
            "case when o then i else 'none' end: char", "case when o then t else '01/01/2026 00:00:00' end: timestamp",
            "case i when 1 then 'a' when 2 then 'b' end: char", "decode(i, 1, d, 2, i, f): double",
            "decode(c, null, t): timestamp", "case when o then y end: byte", "case when o then j else j end: object",
            "abs(i): int", "abs(b): double", "abs(f): double", "abs(1.5): double", "length(c): int", "length(i): int",
            "pow(i, 2): double", "pow(null, 2): double", "concat(): char", "concat(c, i, d): char",
            "to_bigint(t): bigint", "to_bigint(c): bigint", "systimestamp(): timestamp", "x'0AFF': byte",
            "ABS(i): int", "sum(i): int", "sum(m): bigdecimal", "avg(i): float", "avg(b): float", "avg(f): float",
            "avg(d): double", "avg(m): bigdecimal", "avg(1.5): double", "min(c): char", "max(t): timestamp",
            "min(v): interval", "max(m): bigdecimal", "count(*): bigint", "count(c): bigint",
            "count(distinct i): bigint",
            "sum(distinct d): double", "variance(i): double", "variance(distinct f): double", "sum(i) + avg(d): double",
            "abs(sum(i)): int", "7L: bigint", "2147483648: bigint", "1f: float", "1d: double", "'x': char",
            "interval '5' second: interval", "timestamp '2026-11-21T05:10:00': timestamp")
            .map(row -> arguments(row.substring(0, row.lastIndexOf(": ")), row.substring(row.lastIndexOf(": ") + 2)));
    }

    @ParameterizedTest
    @MethodSource("typed")
    void shouldGiveEveryExpressionItsType(final String text, final String type)
    {
        assertThat(TypedExpressions.type(text).cqlName()).isEqualTo(type);
    }

    static List<Arguments> refused()
    {
        return List.of(
            arguments(Message.OPERAND_TYPES, "^c * i^", "char and int"),
            arguments(Message.OPERAND_TYPES, "i > 1 and ^c + 1^ = 2", "char and int"),
            arguments(Message.OPERAND_TYPES, "^o + 1^", "boolean and int"),
            arguments(Message.OPERAND_TYPES, "^t + t^", "timestamp and timestamp"),
            arguments(Message.OPERAND_TYPES, "^t + 1^", "timestamp and int"),
            arguments(Message.OPERAND_TYPES, "^v - t^", "interval and timestamp"),
            arguments(Message.OPERAND_TYPES, "^v * 2^", "interval and int"),
            arguments(Message.OPERAND_TYPES, "^t = i^", "timestamp and int"),
            arguments(Message.OPERAND_TYPES, "^c = o^", "char and boolean"),
            arguments(Message.OPERAND_TYPES, "^v = c^", "char and interval"),
            arguments(Message.OPERAND_TYPES, "i in (1, ^t^)", "int and timestamp"),
            arguments(Message.OPERAND_TYPES, "i in (1, ^o^)", "int and boolean"),
            arguments(Message.OPERAND_TYPE, "^-c^", "char"),
            arguments(Message.OPERAND_TYPE, "^+t^", "timestamp"),
            arguments(Message.OPERAND_TYPE, "^j = 1^", "object"),
            arguments(Message.OPERAND_TYPE, "^y < y^", "byte"),
            arguments(Message.OPERAND_TYPES, "^y = c^", "byte and char"),
            arguments(Message.OPERAND_TYPE, "c || ^j^", "object"),
            arguments(Message.OPERAND_TYPE, "^t^ like 'x'", "timestamp"),
            arguments(Message.BOOLEAN_ORDER, "^o < o^", "no order"),
            arguments(Message.BAD_TIMESTAMP, "t > ^'yesterday'^", "yesterday"),
            arguments(Message.BAD_TIMESTAMP, "t in (t, ^'13/32/2026 00:00:00'^)", "13/32"),
            arguments(Message.BAD_INTERVAL, "v > ^'5'^", "5"),
            arguments(Message.NOT_A_CONDITION, "^i^ and o", "int"),
            arguments(Message.NOT_A_CONDITION, "not ^c^", "char"),
            arguments(Message.NOT_A_CONDITION, "case when ^i^ then 1 end", "int"),
            arguments(Message.BRANCH_TYPES, "case when o then i else ^t^ end", "int and timestamp"),
            arguments(Message.BRANCH_TYPES, "decode(i, 1, c, 2, ^o^)", "char and boolean"),
            arguments(Message.AGGREGATE_TYPE, "^sum(c)^", "sum cannot aggregate char"),
            arguments(Message.AGGREGATE_TYPE, "^avg(t)^", "timestamp"),
            arguments(Message.AGGREGATE_TYPE, "^max(o)^", "boolean"),
            arguments(Message.AGGREGATE_TYPE, "^min(j)^", "object"),
            arguments(Message.ARGUMENT_COUNT, "^pow^(d)", "2 arguments, not 1"),
            arguments(Message.ARGUMENT_COUNT, "^length^(c, c)", "1 argument, not 2"),
            arguments(Message.ARGUMENT_TYPES, "^pow^(c, 1)", "(char, int)"),
            arguments(Message.ARGUMENT_TYPES, "^abs^(t)", "(timestamp)"),
            arguments(Message.ARGUMENT_TYPES, "^variance(c)^", "(char)"),
            arguments(Message.UNKNOWN_FUNCTION, "^lenght^(c)", "lenght"),
            arguments(Message.NULL_HAS_NO_TYPE, "count(^null^)", "null"),
            arguments(Message.NOT_AVAILABLE, "^pkg.Class@java^(i)", "cartridge"),
            arguments(Message.NOT_AVAILABLE, "^java.lang.Math.abs^(i)", "Java"),
            arguments(Message.NOT_AVAILABLE, "^abs(i).x^", "Java value"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void shouldRefuseAtTheExactPlaceWhenTypesDoNotFit(
        final Message message, final String textWithCarets, final String part)
    {
        final int from = textWithCarets.indexOf('^');
        final int to = textWithCarets.lastIndexOf('^') - 1;
        final CqlRuleException refusal = catchThrowableOfType(CqlRuleException.class,
            () -> TypedExpressions.type(textWithCarets.replace("^", "")));
        assertThat(refusal.message()).isEqualTo(message);
        assertThat(refusal.text()).contains(part);
        assertThat(refusal.position().getColumnNum()).as("start").isEqualTo(from + 1);
        assertThat(refusal.position().getEndColumnNum()).as("end").isEqualTo(to);
    }

    @Test
    void shouldNameTheNearestFunctionWhenNameIsMisspelt()
    {
        assertThat(catchThrowableOfType(CqlRuleException.class, () -> TypedExpressions.type("lenght(c)")).hint())
            .isEqualTo("did you mean length?");
    }

    @Test
    void shouldKeepOperatorsAndLiteralsInTheLogicalPlan()
    {
        final RexCall choice = (RexCall) ((Project) TypedExpressions.plan(
            "case when c like 'a' then t + interval '1' second else t end")).getProjects().get(0);
        assertThat(choice).hasToString("CASE(LIKE($5, _UTF-8'a'), +($8, 1000000000), $8)");
        assertThat(CqlTypes.toCql(((RexCall) choice.getOperands().get(1)).getOperands().get(1).getType()))
            .isEqualTo(CqlType.INTERVAL);
    }
}

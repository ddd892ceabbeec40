package dev.millrace.cql.language.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.problem.RuleText;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tree of every clause. */
@Timeout(60)
class StatementShapeTest
{
    private static String shape(final String text)
    {
        return Shapes.of(StatementParser.parse(text));
    }

    private static String source(final String text)
    {
        return shape("select * from " + text).substring("select * from ".length());
    }

    private static String value(final String text)
    {
        return Shapes.of(StatementParser.parseExpression(text));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        S                                     | S
        S[now]                                | S[now]
        S [Range Unbounded]                   | S
        S [range 5]                           | S[range 5000000000]
        S [range 0.5 seconds]                 | S[range 500000000]
        S [range 1 nanosecond]                | S[range 1]
        S [range 7 nanoseconds]               | S[range 7]
        S [range 2 microseconds]              | S[range 2000]
        S [range 2 microsecond]               | S[range 2000]
        S [range 3 milliseconds]              | S[range 3000000]
        S [range 3 millisecond]               | S[range 3000000]
        S [range 1 second]                    | S[range 1000000000]
        S [range 1 minute]                    | S[range 60000000000]
        S [range 2 MINUTES slide 1 minutes]   | S[range 120000000000 slide 60000000000]
        S [range 1 hour]                      | S[range 3600000000000]
        S [range 2 hours]                     | S[range 7200000000000]
        S [range 1 day]                       | S[range 86400000000000]
        S [range 2 days slide 1]              | S[range 172800000000000 slide 1000000000]
        S [range interval "0 00:01:00" day to second] | S[range 60000000000]
        S [range interval '5' minute slide interval '10' second] | S[range 300000000000 slide 10000000000]
        S [range 10 on c1]                    | S[range 10 on c1]
        S [range 2.5 on c1]                   | S[range 2.5 on c1]
        S [range 2 seconds on t]              | S[range 2000000000 ns on t]
        S [range interval "0 00:00:05.00" day to second on t] | S[range 5000000000 ns on t]
        S [rows 10]                           | S[rows 10 slide 1]
        S [rows 10 slide 3]                   | S[rows 10 slide 3]
        S [partition by a rows 1]             | S[by [a] rows 1]
        S [partition by a, S.b rows 2 range 1 second] | S[by [a, S.b] rows 2 range 1000000000]
        S [partition by a rows 2 range 10 slide 5] | S[by [a] rows 2 range 10000000000 slide 5000000000]
        S [mine(5, 'x')]                      | S[mine[5:int, 'x']]
        S [mine()]                            | S[mine[]]
        S [now] as a, T as b                  | S[now] as a, T as b
        A left outer join B on A.x = B.x      | (A left B on =(A.x, B.x))
        A [now] as a right join B as b on a.x = b.x | (A[now] as a right B as b on =(a.x, b.x))
        A left outer join B on A.x = B.x right outer join C on B.x = C.x \
            | ((A left B on =(A.x, B.x)) right C on =(B.x, C.x))
        A left outer join B on A.x = B.x, C   | (A left B on =(A.x, B.x)), C
        (select * from S) as t                | (select * from S) as t
        (A union all B) as t, C as c          | ((A UNION_ALL B)) as t, C as c
        S as a, table(f@c(a.x) as col of java.lang.String) as t \
            | S as a, table(f@c(a.x) as col of java.lang.String) as t
        S as a, table(f(a.x)) as t            | S as a, table(f(a.x)) as t
        S as a, table(f(a.x) as v) as t       | S as a, table(f(a.x) as v) as t
        S xmltable("//a" passing by value S.c1 as "." columns n char(10) path "n", p double path "p") as X \
            | S xmltable([] //a [S.c1 as .] [n char n, p double p]) as X
        S xmltable(xmlnamespaces('u' as "p", default 'd'), "//a" passing by value c1 as "." \
            columns n int path "n") as X \
            | S xmltable(['u' as p, 'd'] //a [c1 as .] [n int n]) as X
        """, quoteCharacter = '\0')
    void shouldReadEverySource(final String text, final String expected)
    {
        assertThat(source(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        select a, b as c, S.* from S                | select a, b as c, S.* from S
        select distinct a from S                    | select distinct a from S
        select a from S where a > 1 and b < 2       | select a from S where and(>(a, 1:int), <(b, 2:int))
        select a, count(*) from S group by a        | select a, count(*) from S group[a]
        select a from S group by a, b having count(*) > 1 | select a from S group[a, b] having >(count(*), 1:int)
        select count(distinct a) from S             | select count(distinct a) from S
        select a from S order by a                  | select a from S order[a asc last]
        select a from S order by a asc, b desc      | select a from S order[a asc last, b desc first]
        select a from S order by 1 desc nulls last  | select a from S order[1:int desc last]
        select a from S order by a nulls first rows 5 | select a from S order[a asc first] rows 5
        select a from S order by a rows 5 partition by b, c | select a from S order[a asc last] rows 5 by[b, c]
        istream(select a from S)                    | istream(select a from S)
        DStream(select a from S)                    | dstream(select a from S)
        RStream(select a from S[now])               | rstream(select a from S[now])
        istream(select a, b from S) difference using (a, 2) | istream(select a, b from S) difference[a, 2:int]
        dstream(A union B) difference using (1)     | dstream((A UNION B)) difference[1:int]
        A union all B                               | (A UNION_ALL B)
        A except B minus C                          | ((A EXCEPT B) MINUS C)
        A intersect (B union C)                     | (A INTERSECT (B UNION C))
        A in B                                      | (A IN B)
        A not in B                                  | (A NOT_IN B)
        (select a from S) in V                      | (select a from S IN V)
        select a from S not in V                    | (select a from S NOT_IN V)
        select a from S where a in (1, 2) in V      | (select a from S where in(a, 1:int, 2:int) IN V)
        select a from S union select b from T order by 1 | (select a from S UNION select b from T) order[1:int asc last]
        (select a from S order by a rows 2) union (select b from T) \
            | (select a from S order[a asc last] rows 2 UNION select b from T)
        (select a from S) union (select b from T) order by a | (select a from S UNION select b from T) order[a asc last]
        ((select a from S))                         | select a from S
        IStream(V)                                  | istream(V)
        select a from S evaluate every 5 minutes    | select a from S every 300000000000
        istream(select a from S) evaluate every 1   | istream(select a from S) every 1000000000
        V1 union V2 evaluate every 10 milliseconds  | (V1 UNION V2) every 10000000
        """, quoteCharacter = '\0')
    void shouldReadEveryQuery(final String text, final String expected)
    {
        assertThat(shape(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        a + b * c                  | +(a, *(b, c))
        a - b - c                  | -(-(a, b), c)
        a * b / c                  | /(*(a, b), c)
        -a * b                     | *(unary -(a), b)
        a or b xor c and not d     | or(a, xor(b, and(c, not(d))))
        not a = b                  | not(=(a, b))
        a is null                  | is null(a)
        a is not null              | is not null(a)
        a between 1 and 2 and b    | and(between(a, 1:int, 2:int), b)
        a not between 1 and 2      | not(between(a, 1:int, 2:int))
        a in (1, null, b)          | in(a, 1:int, null, b)
        a not in ('x')             | not(in(a, 'x'))
        a like '^M.*'              | like(a, '^M.*')
        a not like ''              | not(like(a, ''))
        a != b                     | <>(a, b)
        case when a then 1 end     | case(a, 1:int, null)
        case when a then 1 when b then 2 else 3 end | case(a, 1:int, b, 2:int, 3:int)
        case x when 1 then 'a' else 'b' end | case(=(x, 1:int), 'a', 'b')
        decode(x, 1, 'a')          | case(=(x, 1:int), 'a', null)
        decode(x, 1, 'a', 'b')     | case(=(x, 1:int), 'a', 'b')
        decode(x, null, 'a', y, 'b', 'c') | case(is null(x), 'a', or(=(x, y), and(is null(x), is null(y))), 'b', 'c')
        7                          | 7:int
        2147483648                 | 2147483648:bigint
        -2147483648                | -2147483648:int
        7L                         | 7:bigint
        1.5                        | 1.5:decimal
        1.5f                       | 1.5:float
        1.5D                       | 1.5:double
        1e3                        | 1000:decimal
        7f                         | 7:float
        +5                         | 5:int
        "a ""b"" c"                | 'a "b" c'
        'it''s'                    | 'it's'
        ''                         | null
        null                       | null
        TRUE                       | true
        false                      | false
        interval "0 00:00:05.00" day to second | 5000000000:interval
        interval '5' second        | 5000000000:interval
        interval '-1' day          | -86400000000000:interval
        interval '1:30' minute to second | 90000000000:interval
        interval '2.25' second     | 2250000000:interval
        timestamp '1970-01-01 00:00:01' | 1000000000:timestamp
        timestamp '01/01/1970 00:00:01' | 1000000000:timestamp
        x'0aFF'                    | hextoraw('0aFF')
        x                          | x
        f()                        | f()
        NVL(a, 1)                  | nvl(a, 1:int)
        f(g(a), b + 1)             | f(g(a), +(b, 1:int))
        sum(a)                     | sum(a)
        COUNT(*)                   | count(*)
        variance(distinct a)       | variance(distinct a)
        java.lang.Math.abs(a)      | java.lang.math.abs(a)
        pkg.Class@java(a, 1)       | pkg.class@java(a, 1:int)
        contains@spatial(a)        | contains@spatial(a)
        String("foo")              | string('foo')
        S.o.name                   | .name(S.o)
        S.o.a.b                    | .b(.a(S.o))
        o[1]                       | [](o, 1:int)
        o[i + 1].name              | .name([](o, +(i, 1:int)))
        f(a).size()                | .size(f(a))
        f(a).get(1).x              | .x(.get(f(a), 1:int))
        (a).length()               | .length(a)
        S.c1.substring(1, 2)       | s.c1.substring(1:int, 2:int)
        `From`.`Group By`          | From.Group By
        seconds + minute + type    | +(+(seconds, minute), type)
        count + sum                | +(count, sum)
        xmlelement("n", a)         | xmlelement('n', null, a)
        xmlelement(name n, xmlattributes(a as "k", S.b), c, d) | xmlelement('n', xmlattributes(a, 'k', S.b, 'b'), c, d)
        xmlforest(a, b + 1 as "x") | xmlforest(a, 'a', +(b, 1:int), 'x')
        xmlcolattval(a as x)       | xmlcolattval(a, 'x')
        xmlparse(content a wellformed) | xmlparse('content', a, true)
        xml_parse(document a)      | xmlparse('document', a, false)
        xmlquery("//a" passing by value c1 as "." returning content) | xmlquery('//a', c1, '.')
        xmlexists("//a[$x]" passing by value c1 as ".", b as "x") | xmlexists('//a[$x]', c1, '.', b, 'x')
        xmlconcat(a, b)            | xmlconcat(a, b)
        """, quoteCharacter = '\0')
    void shouldReadEveryExpression(final String text, final String expected)
    {
        assertThat(value(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        7        | 7:int
        -1.5f    | -1.5:float
        NASDAQ   | 'NASDAQ'
        "a, b"   | 'a, b'
        'x'      | 'x'
        a b      | 'a b'
        :1       | ':1'
        5 minutes or more | '5 minutes or more'
        true     | true
        a ' b    | 'a ' b'
        select   | 'select'
        """, quoteCharacter = '\0')
    void shouldTakeTheValueWhenAPlaceholderHasOne(final String value, final String expected)
    {
        final RuleText rule = RuleText.query("q", "select a from S where a = :1").bound("p", List.of(value));
        assertThat(Shapes.of(StatementParser.parse(rule)))
            .isEqualTo("select a from S where =(a, " + expected + ')');
        assertThat(rule.id()).isEqualTo("q_p");
    }

    @Test
    void shouldTakeValuesWhereverSizesAndNamesStand()
    {
        final RuleText rule = RuleText.query("q", "select :2 as x, ':9' as y from S[range :1 slide :3], " +
            "T[partition by :4 rows :5]").bound("p", Arrays.asList("5 minutes", "ORCL", "10", "symbol", "3"));
        assertThat(Shapes.of(StatementParser.parse(rule))).isEqualTo("select 'ORCL' as x, ':9' as y from " +
            "S[range 300000000000 slide 10000000000], T[by [symbol] rows 3]");
    }

    @Test
    void shouldReadTextOperatorBesideSums()
    {
        assertThat(value("a || b + c")).isEqualTo("+(||(a, b), c)");
    }

    @Test
    void shouldKeepThePlacesOfTheText()
    {
        final Statement statement = StatementParser.parse("IStream(select a,\n b from S[range 5] order by 1)");
        final Query.Select select = (Query.Select) statement.query();
        assertThat(statement.toStreamPosition()).hasToString("line 1, column 1");
        assertThat(select.items().get(1).expression().getParserPosition()).hasToString("line 2, column 2");
        assertThat(((Source.NamedSource) select.from().get(0)).windowPosition()).hasToString("line 2, column 10");
        assertThat(select.orderBy().position()).hasToString("line 2, column 20");
    }
}

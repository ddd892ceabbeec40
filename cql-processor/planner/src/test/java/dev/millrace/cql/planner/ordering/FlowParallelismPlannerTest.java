package dev.millrace.cql.planner.ordering;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowRoute;
import dev.millrace.cql.planner.RulePlanner;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Statements that run partition-ordered or unordered as flows, and how their channels are partitioned. */
@Timeout(60)
class FlowParallelismPlannerTest
{
    private static final Catalog CATALOG = Catalog.builder()
        .stream("S", EventType.tuple("ST", property("sym", CqlType.CHAR), property("price", CqlType.DOUBLE),
            property("q", CqlType.INT)))
        .stream("T", EventType.tuple("TT", property("sym", CqlType.CHAR), property("rate", CqlType.DOUBLE),
            property("b", CqlType.BIGINT)))
        .channel("R", EventType.tuple("RT", property("sym", CqlType.CHAR), property("name", CqlType.CHAR)), true, true)
        .cache("C", EventType.tuple("CT", property("sym", CqlType.CHAR), property("name", CqlType.CHAR)),
            List.of("sym"))
        .build();

    private static EventProperty property(final String name, final CqlType type)
    {
        return new EventProperty(name, type);
    }

    private static RuleText query(final String order, final String partition, final String text)
    {
        return new RuleText("q", false, text, null, order, partition);
    }

    /** Routes of the sources in order: channel=column, channel=* for all, channel=? for any. */
    private static String routes(final RuleText... rules) throws CqlException
    {
        final List<FlowPlan> flows =
            new RulePlanner().flowsOnly().plan("proc", List.of(rules), CATALOG).flows();
        assertThat(flows).hasSize(1);
        final FlowPlan flow = flows.get(0);
        final StringBuilder text = new StringBuilder(flow.ordering().name());
        for (int i = 0; i < flow.sources().size(); i++)
        {
            final FlowRoute route = flow.routes().get(i);
            text.append(' ').append(flow.sources().get(i).name()).append('=').append(switch (route.kind())
            {
                case ALL -> "*";
                case ANY -> "?";
                default -> route.value() instanceof Expression.Column column ?
                    flow.sources().get(i).rows().names().get(column.column()) : "computed";
            });
        }
        return text.toString();
    }

    private static String refused(final RuleText... rules)
    {
        try
        {
            return "planned as " + routes(rules);
        }
        catch (final CqlException refusal)
        {
            return refusal.problems().stream().map(problem -> Message.byCode(problem.code()) + " " +
                problem.excerpt().lines().findFirst().orElse("")).collect(Collectors.joining("\n"));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "sym | S=sym | select sym, sum(price) as s from S[range 10 seconds] group by sym",
        "sym | S=sym | select sym, q, sum(price) as s from S[range 10 seconds slide 2 seconds] group by sym, q",
        "sym | S=sym | select sym, price from S[partition by sym rows 3]",
        "sym | S=sym | select sym, price from S[partition by q, sym rows 3 range 5 seconds]",
        "sym | S=sym | select price from S[range 10 seconds]",
        "sym | S=sym | IStream(select sym, price from S[range 10 seconds])",
        "sym | S=sym | DStream(select sym, price from S[range 10 seconds]) difference using (sym)",
        "sym | S=sym | RStream(select price from S[now])",
        "sym | S=sym | select distinct sym, price from S[range 10 seconds]",
        "sym | S=sym | select sym, price from S[range 10 seconds] order by price rows 3 partition by sym",
        "sym | S=sym | select sym, price from S[range 10 seconds] order by price",
        "S.sym | S=sym T=sym | select S.sym, T.rate from S[range 9], T[range 10] where S.sym = T.sym",
        "sym | S=sym T=sym | select S.sym, T.rate from S[range 9], T[range 10] where S.sym = T.sym",
        "S.q | S=q T=b | select S.sym, T.rate from S[range 9], T[range 10] where S.q = T.b",
        "S.price | S=price T=rate | select S.sym from S[range 9], T[range 10] where S.price = T.rate",
        "upper(S.sym) | S=computed T=computed | select S.sym from S[range 9], T[range 10] where S.sym = T.sym",
        "S.sym | S=sym T=* | select S.sym, T.rate from S[now], T[range 10 seconds] where S.price < T.rate",
        "S.sym | S=sym T=* | select S.sym, T.rate from S[range 10 seconds], T[now] where S.price < T.rate",
        "S.sym | S=sym R=* | select S.sym, R.name from S[range 10 seconds], R where S.sym = R.sym",
        "S.q | S=q R=* | select S.sym, R.name from S[range 10 seconds], R where S.sym = R.sym",
        "R.sym | S=sym R=* | select S.sym, R.name from S[range 10 seconds], R where S.sym = R.sym",
        "S.sym | S=sym R=* | select S.sym, R.name from S[range 10 seconds] left outer join R on S.sym = R.sym",
        "S.q | S=q | select S.sym, C.name from S[now], C where S.sym = C.sym",
        "sym | S=sym T=sym | select sym, price from S union all select sym, rate from T",
        "sym | S=sym T=sym | select price from S union all select rate from T",
        "sym | S=sym T=sym | select sym, price from S[range 10] except select sym, rate from T[range 10]",
        "sym | S=sym | select M.x from S match_recognize (partition by sym measures A.price as x " +
            "pattern (A B* C) define C as C.price > 5) as M",
        "M.sym | S=sym | select M.x from S match_recognize (partition by q, sym measures A.price as x " +
            "pattern (A B* C) define C as C.price > 5) as M",
        "mod(q, 7) | S=computed | select q, sum(price) as s from S[range 10 seconds] group by q",
        "v.sym | S=sym | select v.s from (select sym, sum(price) as s from S[range 5] group by sym) as v",
        "sym | S=sym | select sym, count(*) from S group by sym evaluate every 2 seconds",
        "sym | S=sym | select sym, max(element_time) as t from S[range 10 seconds] group by sym",
        "v.k | S=sym T=sym | select v.p from (select S.price as p, T.sym as k from S[range 9], T[range 9] " +
            "where S.sym = T.sym) as v",
        "v.k | S=sym T=sym | select v.p from (select S.price as p, T.sym as k from S[range 9], T[range 9] " +
            "where T.sym = S.sym and S.price < T.rate) as v",
        "v.k | S=sym | select v.n from (select C.name as n, C.sym as k from S[now], C where S.sym = C.sym) as v",
        "v.k | S=sym | select v.t from (select sym as k, element_time as t from S) as v",
        "R.sym | R=* S=sym | select S.sym, R.name from R, S[range 10 seconds] where S.sym = R.sym",
        "S.sym | S=sym T=sym | RStream(select S.price from S[range 9], T[now] where S.sym = T.sym)",
        "S.sym | S=sym T=sym | RStream(select S.price from S[now], T[range 9] where S.sym = T.sym)",
        "S.sym | S=sym T=* | RStream(select S.price from S[now], T[range 9])",
        "S.sym | S=sym T=sym | select S.price, T.rate from S[range 9] left outer join T[range 9] on S.sym = T.sym",
        "S.sym | T=sym S=sym | select S.price, T.rate from S[range 9] right outer join T[range 9] on S.sym = T.sym",
        "sym | S=sym | IStream(select price from S)",
        "sym | S=sym | IStream(select price from S[range unbounded] where price > 1 order by price)",
        "S.sym | S=sym T=sym | IStream(select S.price from S, T where S.sym = T.sym)",
        "S.sym | S=sym T=sym | IStream(select S.sym from S left outer join T on S.sym = T.sym)",
        "sym | S=sym T=sym | IStream(select sym, price from S union select sym, rate from T)",
        "sym | S=sym T=sym | select sym, price from S[range 9] intersect select sym, rate from T[range 9]",
        "sym | S=sym R=* | select sym from S[range 9] except select sym from R",
        "sym | S=sym T=sym | select price from S[range 9] union all select rate from T[range 9]",
        "case when q > 1 then sym else upper(sym) end | S=computed | select price from S",
    })
    void shouldSplitChannels(final String expression, final String routes, final String text) throws CqlException
    {
        assertThat(routes(query("PARTITION_ORDERED", expression, text))).isEqualTo("PARTITION_ORDERED " + routes);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "sym | PARTITION_ILLEGAL | select q, sum(price) as s from S[range 10 seconds] group by q",
        "sym | PARTITION_ILLEGAL | select M.x from S match_recognize (partition by q measures A.price as x " +
            "pattern (A B* C) define C as C.price > 5) as M",
        "sym | PARTITION_WINDOW | select price from S[rows 3]",
        "sym | PARTITION_WINDOW | select price from S[range 3 on q]",
        "sym | PARTITION_WINDOW | select price from S[partition by q rows 3]",
        "sym | PARTITION_AGGREGATE | select sum(price) as p from S[range 10 seconds]",
        "sym | PARTITION_DISTINCT | select distinct price from S[range 10 seconds]",
        "sym | PARTITION_TOP | select sym, price from S[range 10 seconds] order by price rows 3",
        "sym | PARTITION_TOP | select sym, price, q from S[range 10 seconds] order by price rows 3 partition by q",
        "sym | PARTITION_STREAM | IStream(select price from S[range 10 seconds])",
        "sym | PARTITION_STREAM | DStream(select sym, price from S[range 10 seconds]) difference using (price)",
        "sym | PARTITION_RSTREAM | RStream(select sym, price from S[range 10 seconds])",
        "sym | PARTITION_RSTREAM | RStream(select sym from S[now]) evaluate every 6",
        "sym | PARTITION_STREAM | IStream(select price from S[now]) evaluate every 6",
        "S.sym | PARTITION_JOIN | select S.sym, T.rate from S[range 9], T[range 10] where S.price < T.rate",
        "S.q | PARTITION_JOIN | select S.sym, T.rate from S[range 9], T[range 10] where S.sym = T.sym",
        "S.sym | PARTITION_OUTER | select R.sym from R left outer join S[range 10 seconds] on S.sym = R.sym",
        "sym | PARTITION_SET | select price from S[range 10] except select rate from T[range 10]",
        "sym | PARTITION_WINDOW | select price, sym from S[range 10] union select q, sym from S[rows 1]",
        "sym | PARTITION_STREAMLESS | select sym from R",
        "1 | PARTITION_NOT_COLUMN | select sym from S[range 10]",
        "sum(q) | PARTITION_NOT_COLUMN | select sym from S[range 10]",
        "X.sym | PARTITION_NOT_COLUMN | select sym from S[range 10]",
        "nonesuch | UNKNOWN_COLUMN | select sym from S[range 10]",
        "v.s | PARTITION_COMPUTED | select v.s from (select sym, sum(price) as s from S[range 5] group by sym) as v",
        "v.k | PARTITION_COMPUTED | select v.k from (select S.q + T.b as k from S[range 9], T[range 9]) as v",
        "v.n | PARTITION_COMPUTED | select v.n from (select C.name as n from S[now], C where S.sym = C.sym) as v",
        "v.t | PARTITION_COMPUTED | select v.t from (select element_time as t from S) as v",
        "v.n | PARTITION_COMPUTED | select v.n from (select systimestamp() as n from S) as v",
        "v.k | PARTITION_TWICE | select v.k from (select sym as k from S union all select upper(sym) as k from S) as v",
        "S.sym | PARTITION_RSTREAM | RStream(select S.sym from S[range 9], T[range 9] where S.sym = T.sym)",
        "S.sym | PARTITION_RSTREAM | RStream(select S.sym from S[range 9] left outer join T[now] on S.sym = T.sym)",
        "S.sym | PARTITION_STREAM | IStream(select S.price from S left outer join T on S.sym = T.sym)",
        "sym | PARTITION_SET | IStream(select price from S union select rate from T)",
        "sym | PARTITION_SET | select sym from R union all select sym from S[range 9]",
        "S.sym | PARTITION_JOIN | select S.sym from S[range 9], T[range 9]",
        "S.sym | PARTITION_JOIN | select S.sym from S[range 9], T[range 9] where S.sym = T.sym or S.price < T.rate",
        "S.sym | PARTITION_JOIN | select S.sym from S[range 9] left outer join T[range 9] on S.price < T.rate",
    })
    void shouldRefuseWhatWouldBeTornApart(final String expression, final String message, final String text)
    {
        assertThat(refused(query("PARTITION_ORDERED", expression, text)))
            .isEqualTo(message + " partition-expression=\"" + expression + '"');
    }

    @Test
    void shouldFollowTheValueThroughViews() throws CqlException
    {
        final RuleText view =
            RuleText.view("v", "IStream(select upper(sym) as u, sum(price) as p from S[range 3] group by sym)");
        assertThat(routes(view, query("PARTITION_ORDERED", "u", "select u, max(p) from v group by u")))
            .isEqualTo("PARTITION_ORDERED S=computed");
        assertThat(routes(view.partitionOrdered("upper(sym)"),
            query("PARTITION_ORDERED", "v.u", "select u, max(p) from v group by u")))
            .isEqualTo("PARTITION_ORDERED S=computed");
        final RuleText both = RuleText.view("v", "IStream(select sym, upper(sym) as u, price as p from S[range 3])");
        assertThat(refused(both.partitionOrdered("sym"),
            query("PARTITION_ORDERED", "u", "select u, max(p) from v group by u"))).startsWith("PARTITION_VIEW");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "A.sym | (A B)",
        "A.sym | (A+ B)",
        "A.sym | (A{2} B)",
        "A.sym | 'A B | A C'",
        "A.sym | (permute(A, B))",
        "first(A.sym) | (A+ B)",
        "sym | (A B)",
        "upper(B.sym) | (A B)",
    })
    void shouldFollowTheValueThroughMeasuresThatEachMatchHas(final String measure, final String pattern)
        throws CqlException
    {
        assertThat(routes(matches(measure, pattern), query("PARTITION_ORDERED", "v.k",
            "select k, count(*) as n from v[range 5] group by k"))).matches("PARTITION_ORDERED S=(sym|computed)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "A.sym | (A? B)",
        "A.sym | (A* B)",
        "A.sym | (A{0,2} B)",
        "A.sym | 'A | B'",
        "A.sym | 'A B | C B'",
        "C.sym | (A B C?)",
        "prev(A.sym) | (A B)",
        "last(A.sym, 1) | (A+ B)",
        "last(A.sym, 1) | (permute(A+, B))",
    })
    void shouldNotKeepGroupsTogetherByMeasuresThatMayBeNull(final String measure, final String pattern)
    {
        assertThat(refused(matches(measure, pattern), query("PARTITION_ORDERED", "v.k",
            "select k, first(k) as n from v[range 5] group by k"))).startsWith("PARTITION_ILLEGAL");
    }

    private static RuleText matches(final String measure, final String pattern)
    {
        return RuleText.view("v", "select M.k as k from S match_recognize (partition by sym measures " + measure +
            " as k pattern (" + pattern + ") define " + Stream.of("A", "B", "C").filter(pattern::contains)
            .map(name -> name + " as " + name + ".q > 1").collect(Collectors.joining(", ")) + ") as M");
    }

    @Test
    void shouldNameTheViewThatWouldBeTornApart()
    {
        assertThat(refused(RuleText.view("v", "select first(q) as n from S[range 3]"),
            query("PARTITION_ORDERED", "S.sym", "select S.sym from S[range 3], v where S.q = v.n")))
            .startsWith("PARTITION_AGGREGATE");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "sym   | select count(*) as n, sum(q) as s, avg(q) as a, max(price) as m from S[range 3]",
        "sym   | select q, count(*) as n, min(sym) as m from S[range 3 slide 1] group by q",
        "sym   | select count(distinct sym) as n from S[range 3]",
        "sym   | select k, avg(n) as a from counts group by k",
        "c.sym | select c.sym from counts as c, most as m where c.n >= m.x",
        "c.sym | RStream(select distinct c.n from counts as c, most as m where c.n > m.x)",
        "a.sym | IStream(select a.sym from S[range 3 slide 3] as a, greatest as g where a.q = g.x)"})
    void shouldMergeWhatWorkersComputeOfTheirPartitions(final String partition, final String text) throws CqlException
    {
        assertThat(routes(
            RuleText.view("counts", "select sym, q as k, count(*) as n from S[range 5 slide 1] group by sym, q"),
            RuleText.view("most", "select max(n) as x from counts"),
            RuleText.view("greatest", "select max(q) as x from S[range 3 slide 3]"),
            query("PARTITION_ORDERED", partition, text))).isEqualTo("PARTITION_ORDERED S=sym");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "PARTITION_AGGREGATE | sym   | select sum(price) as s from S[range 3]",
        "PARTITION_AGGREGATE | sym   | select avg(price) as s from S[range 3]",
        "PARTITION_AGGREGATE | sym   | select count(distinct q) as n from S[range 3]",
        "PARTITION_AGGREGATE | sym   | select last(q) as n from S[range 3]",
        "PARTITION_ILLEGAL   | sym   | select k, first(n) as a from counts group by k",
        "PARTITION_TOP       | sym   | select n from counts order by n rows 3",
        "PARTITION_DISTINCT  | sym   | select distinct q from S[range 3]",
        "PARTITION_MERGED    | a.sym | select a.sym from S[range 3] as a, greatest as g where a.q > g.x",
        "PARTITION_MERGED    | a.sym | select a.sym from S[range 3] as a, greatest as g where a.q <= g.x",
        "PARTITION_MERGED    | a.sym | select a.sym from S[range 3] as a, greatest as g where a.q = g.x and a.q > 1.5",
        "PARTITION_MERGED    | c.sym | select R.name from counts as c, most as m, R where c.n = m.x and R.sym = c.sym"})
    void shouldRefuseWhatDoesNotFollowFromTheChangesOfWorkers(
        final String message, final String partition, final String text)
    {
        assertThat(refused(
            RuleText.view("counts", "select sym, q as k, count(*) as n from S[range 5 slide 1] group by sym, q"),
            RuleText.view("most", "select max(n) as x from counts"),
            RuleText.view("greatest", "select max(q) as x from S[range 3 slide 3]"),
            query("PARTITION_ORDERED", partition, text))).startsWith(message);
    }

    @Test
    void shouldRunAnOrderedQueryOverAPartitionOrderedViewInOrder() throws CqlException
    {
        assertThat(routes(RuleText.view("v", "select sym, sum(price) as p from S[range 3] group by sym")
            .partitionOrdered("sym"), query(null, null, "select max(p) from v"))).isEqualTo("ORDERED S=*");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "S=? R=* | RStream(select S.sym, R.name from S[now], R where S.sym = R.sym)",
        "S=? | RStream(select S.sym, C.name from S[now], C where S.sym = C.sym)",
        "S=? | IStream(select sym from S[now] where price > 1)",
        "S=? | select sym, element_time as t from S where price > 1",
        "S=? | select sym, price * 2 as p from S where price > 1",
        "S=? T=? | select sym, price from S union all select sym, rate from T",
        "R=* S=? | RStream(select S.sym, R.name from R, S[now] where S.sym = R.sym)",
        "S=? R=* | RStream(select S.sym, R.name from S[now] left outer join R on S.sym = R.sym)",
        "S=? | RStream(select sym from S[now] where price > 1)",
    })
    void shouldRunStatelessStatementsInAnyOrder(final String routes, final String text) throws CqlException
    {
        assertThat(routes(query(OrderingConstraint.UNORDERED.name(), null, text))).isEqualTo("UNORDERED " + routes);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "UNORDERED_ILLEGAL | select sym, sum(price) as s from S[range 10 seconds] group by sym",
        "UNORDERED_ILLEGAL | select distinct sym from S",
        "UNORDERED_ILLEGAL | IStream(select sym from S[range 3])",
        "UNORDERED_ILLEGAL | RStream(select S.sym from S[now], T[now] where S.sym = T.sym)",
        "UNORDERED_ILLEGAL | select M.x from S match_recognize (partition by q measures A.price as x " +
            "pattern (A B* C) define C as C.price > 5) as M",
        "UNORDERED_RELATION | select S.sym, R.name from S[now], R where S.sym = R.sym",
        "UNORDERED_RELATION | select sym from S[now]",
        "UNORDERED_ILLEGAL | DStream(select sym from S[now])",
        "UNORDERED_ILLEGAL | IStream(select sym from S[now]) difference using (sym)",
        "UNORDERED_ILLEGAL | RStream(select sym from S[range 1])",
        "UNORDERED_ILLEGAL | RStream(select R.name from R left outer join S[now] on S.sym = R.sym)",
        "UNORDERED_ILLEGAL | RStream(select S.sym, T.rate from S[now], T where S.sym = T.sym)",
        "UNORDERED_ILLEGAL | RStream(select sym from R)",
        "UNORDERED_ILLEGAL | select sym, price from S union select sym, rate from T",
    })
    void shouldRefuseUnorderedWhereRowsMeet(final String message, final String text)
    {
        assertThat(refused(query("UNORDERED", null, text))).isEqualTo(message + " ordering-constraint=\"UNORDERED\"");
    }
}

package dev.millrace.cql.processor.simulation;

import java.util.List;

/**
 * A statement whose first column is the value of its partition.
 *
 * @param name      id of its query
 * @param text      the statement
 * @param partition its partition expression
 */
record Statement(String name, String text, String partition)
{
    /** Whether the order of its rows is determined; otherwise only that of the rows of each partition. */
    boolean isOrdered()
    {
        return this != WITHIN;
    }

    static final Statement FILTER = new Statement("filter", "select sym, q from S where price > 4.0", "sym");
    static final Statement GROUP =
        new Statement("group", "IStream(select sym, sum(q) as s, count(*) as n from S group by sym)", "sym");
    /** Rows of S with the name that the cache has for their symbol when they arrive. */
    static final Statement CACHE = new Statement("cache", "RStream(select S.sym as sym, S.q as q, C.name as name " +
        "from S[now] as S, C as C where S.sym = C.sym)", "S.sym");
    private static final Statement WINDOW = new Statement("window",
        "IStream(select sym, count(*) as n, max(q) as m from S[range 7 milliseconds] group by sym)", "sym");
    private static final Statement SLIDE = new Statement("slide",
        "select sym, avg(price) as a from S[range 9 milliseconds slide 4 milliseconds] group by sym " +
        "having count(*) > 1", "sym");
    private static final Statement LAST =
        new Statement("last", "IStream(select sym, q, price from T[partition by sym rows 2])", "sym");
    private static final Statement EXPIRED =
        new Statement("expired", "DStream(select sym, price, q from S[range 5 milliseconds])", "sym");
    private static final Statement WITHIN = new Statement("within",
        "select m.sym, m.x, m.y from S match_recognize (partition by sym measures A.sym as sym, A.q as x, C.q as y " +
        "pattern (A B* C) within 6 milliseconds define C as C.price > A.price) as m", "sym");
    private static final Statement JOIN = new Statement("join", "IStream(select S.sym, S.q, T.q as other " +
        "from S[range 4 milliseconds], T[range 6 milliseconds] where S.sym = T.sym)", "sym");
    /** Statements that run in one processor. */
    static final List<List<Statement>> TOGETHER = List.of(List.of(FILTER, WINDOW), List.of(GROUP),
        List.of(WITHIN, GROUP), List.of(JOIN, FILTER), List.of(SLIDE, LAST), List.of(EXPIRED, LAST, JOIN));
    /** Statements whose rows do not depend on times. */
    static final List<List<Statement>> WITHOUT_TIME = List.of(List.of(FILTER, LAST), List.of(GROUP, LAST));
}

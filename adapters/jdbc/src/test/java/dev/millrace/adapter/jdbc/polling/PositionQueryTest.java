package dev.millrace.adapter.jdbc.polling;

import static dev.millrace.adapter.jdbc.polling.PositionQuery.Parameter.HORIZON;
import static dev.millrace.adapter.jdbc.polling.PositionQuery.Parameter.POSITION;
import static dev.millrace.adapter.jdbc.polling.PositionQuery.Parameter.TIE;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Placeholders of statements. */
@Timeout(60)
class PositionQueryTest
{
    @Test
    void shouldReplacePlaceholdersOutsideOfStringsNamesCommentsAndCasts()
    {
        final PositionQuery query = PositionQuery.parse("select '?', \":tie\", `?`, a::text -- ? :tie\n" +
            "from t /* ? */ where a > ? and a <= :Horizon and (b > :tie or a > :position) and x = ':position'");
        assertThat(query.sql()).isEqualTo("select '?', \":tie\", `?`, a::text -- ? :tie\n" +
            "from t /* ? */ where a > ? and a <= ? and (b > ? or a > ?) and x = ':position'");
        assertThat(query.parameters()).containsExactly(POSITION, HORIZON, TIE, POSITION);
    }

    @Test
    void shouldCreateTheQueryOfATable()
    {
        assertThat(PositionQuery.ofTable("s.t", "\"A\", \"B\"", "\"A\"", null, false).sql())
            .isEqualTo("select \"A\", \"B\" from s.t where \"A\" > ? order by \"A\"");
        final PositionQuery query = PositionQuery.ofTable("t", "a, b", "a", "b", true);
        assertThat(query.sql()).isEqualTo("select a, b from t where a >= ? and (a > ? or b > ?) and a <= ? " +
            "order by a, b");
        assertThat(query.parameters()).containsExactly(POSITION, POSITION, TIE, HORIZON);
    }
}

package dev.millrace.cql.processor.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cql.runtime.row.RowRejectedException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Date;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Conversion of times between the engine and user classes. */
@Timeout(60)
class JavaTypeMappingTest
{
    @Test
    void shouldKeepNanosecondsBeforeAndAfterTheEpoch()
    {
        for (final String text : new String[]{"1969-12-31T23:59:59.999999999Z", "2026-11-21T08:00:00.000000001Z"})
        {
            final Instant instant = Instant.parse(text);
            assertThat(JavaTypeMapping.toEngine(Timestamp.from(instant)))
                .isEqualTo(instant.getEpochSecond() * 1_000_000_000L + instant.getNano());
        }
    }

    @Test
    void shouldTurnTheRowAwayWhenATimeHasNoNanoseconds()
    {
        for (final Date time : new Date[]{Timestamp.from(Instant.parse("9999-12-31T00:00:00Z")),
            Timestamp.from(Instant.parse("0001-01-01T00:00:00Z")), new Date(Long.MAX_VALUE)})
        {
            assertThatThrownBy(() -> JavaTypeMapping.toEngine(time)).isInstanceOf(RowRejectedException.class)
                .hasMessageContaining("1677").hasMessageContaining("2262");
        }
    }
}

package dev.millrace.network.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.time.ManualClock;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RejectionsTest
{
    private final ManualClock clock = new ManualClock(0);
    private final Rejections rejections = new Rejections("app/stage", clock);

    @Test
    void shouldCountAlwaysAndLogOnceAPeriodAndReason()
    {
        assertThat(rejections.logs("a")).isTrue();
        rejections.count(2, "a", "first", null);
        assertThat(rejections.logs("a")).isFalse();
        assertThat(rejections.logs("b")).isTrue();
        rejections.count(3, "a", "second", null);
        rejections.count(0, "c", "nothing", null);
        clock.advance(Rejections.LOG_PERIOD_NS - 1);
        assertThat(rejections.logs("a")).isFalse();
        clock.advance(1);
        assertThat(rejections.logs("a")).isTrue();
        rejections.count(1, "b", "other", new IllegalStateException("cause"));
        assertThat(rejections.byReason()).isEqualTo(Map.of("a", 5L, "b", 1L));
        assertThat(rejections.total()).isEqualTo(6);
    }

    @Test
    void shouldGiveEachOwnReasonACodeAndANextStepAndLeaveThoseOfOthersAsTheyAre() throws Exception
    {
        final Set<String> codes = new TreeSet<>();
        int reasons = 0;
        for (final Field field : RejectReason.class.getFields())
        {
            final String line = RejectReason.line((String)field.get(null), "rows rejected, stage=app/stage");
            assertThat(line).as(field.getName()).matches("EPN-06\\d\\d rows rejected, stage=app/stage; .{10,}");
            codes.add(line.substring(0, line.indexOf(' ')));
            reasons++;
        }
        assertThat(reasons).isEqualTo(18);
        assertThat(codes).hasSize(18);
        assertThat(RejectReason.line("cut-off", "detail=LDG-0236 x; y")).isEqualTo("detail=LDG-0236 x; y");
    }

    @Test
    void shouldGatherReasonsBeyondTheBound()
    {
        for (int i = 0; i < 100; i++)
        {
            rejections.count(1, "reason" + i, "", null);
        }
        assertThat(rejections.byReason()).hasSize(65).containsEntry(RejectReason.OTHER, 36L);
        assertThat(rejections.total()).isEqualTo(100);
    }
}

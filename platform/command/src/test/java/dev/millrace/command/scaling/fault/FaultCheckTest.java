package dev.millrace.command.scaling.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonParser;
import dev.millrace.command.cli.CommandException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reports of measured faults. */
@Timeout(60)
class FaultCheckTest
{
    private static FaultResult result(final FaultCheck... checks)
    {
        return new FaultResult(new FaultSettings(3, List.of(Fault.KILL), 1, 5000, 0, 30, false), 1, 2, List.of(checks));
    }

    @Test
    void shouldFailWhenALimitIsBroken()
    {
        final FaultCheck right = new FaultCheck(Fault.KILL, "gap", 3, 3, "s");
        final FaultCheck late = new FaultCheck(Fault.KILL, "back", 10.5, 10, "s");
        final FaultCheck never = new FaultCheck(Fault.PAUSE, "member again", Double.POSITIVE_INFINITY, 20, "s");
        assertThatCode(() -> result(right).check()).doesNotThrowAnyException();
        assertThatThrownBy(() -> result(right, late, never).check()).isInstanceOf(CommandException.class)
            .hasMessageContaining("CMD-0169").hasMessageContaining("[kill: back, pause: member again]");
        assertThat(right.line()).contains("3 s").endsWith("right");
        assertThat(late.line()).contains("10.50 s").endsWith("BROKEN");
        assertThat(never.line()).contains("never").endsWith("BROKEN");
    }

    @Test
    void shouldWriteFiguresForPrograms()
    {
        final JsonArray checks = JsonParser.parseString(result(new FaultCheck(Fault.KILL, "gap", 0.25, 3, "s"),
            new FaultCheck(Fault.KILL, "back", Double.POSITIVE_INFINITY, 10, "s")).json())
            .getAsJsonObject().getAsJsonArray("checks");
        assertThat(checks.get(0).getAsJsonObject().get("measured").getAsDouble()).isEqualTo(0.25);
        assertThat(checks.get(0).getAsJsonObject().get("right").getAsBoolean()).isTrue();
        assertThat(checks.get(1).getAsJsonObject().get("measured").isJsonNull()).isTrue();
        assertThat(checks.get(1).getAsJsonObject().get("right").getAsBoolean()).isFalse();
    }

    @Test
    void shouldLetAllSettleBeforeAKillUnlessToldHowLong()
    {
        assertThat(new FaultSettings(10, List.of(Fault.KILL), 1, 5000, 0, 30, false).secondsBeforeKill()).isEqualTo(18);
        assertThat(new FaultSettings(10, List.of(Fault.KILL), 1, 5000, 120, 30, false).secondsBeforeKill())
            .isEqualTo(120);
    }
}

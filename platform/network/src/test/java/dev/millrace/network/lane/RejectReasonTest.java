package dev.millrace.network.lane;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rejections that degrade an application. */
@Timeout(60)
class RejectReasonTest
{
    @ParameterizedTest
    @ValueSource(strings = {"refused-by-sink", "stage-failed", "fenced", "pipeline-failed", "output-refused",
        "table-failed", "pull-failed", "cache-loader-failed", "unreadable-cache-value", "function-failed",
        "aggregate-failed", "window-failed", "state-full", "queue-full", "relation-full", "memory-full",
        "pattern-too-many-candidates", "partition-lost", "partition-refused", "too-many-sources",
        "other"})
    void shouldCountFaultsOfStagesAndBounds(final String reason)
    {
        assertThat(RejectReason.isFault(reason)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"time-backwards", "time-goes-backwards", "time-missing", "wrong-event", "duplicate-key",
        "missing-key", "missing-row", "not-a-relation", "conversion-failed", "division-by-zero", "function-domain",
        "not-started", "suspended", "stopped", "text-too-long"})
    void shouldNotCountRowsThatAreWrongThemselves(final String reason)
    {
        assertThat(RejectReason.isFault(reason)).isFalse();
    }
}

package dev.millrace.cql.processor.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cql.compiler.RowModeThreshold;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The batch size up to which rows are processed row by row. */
@Timeout(60)
class BatchCalibrationTest
{
    @AfterEach
    void forgetWhatWasMeasured()
    {
        RowModeThreshold.rows(RowModeThreshold.DEFAULT_ROWS);
    }

    @Test
    void shouldBeginWhereOperatorAfterOperatorCostsLess()
    {
        assertThat(BodyCosts.cheapestLimit(List.of(new BodyCosts(2, 20, 30), new BodyCosts(4, 15, 18),
            new BodyCosts(8, 12, 10), new BodyCosts(16, 11, 7)))).isEqualTo(8);
    }

    @Test
    void shouldNotFollowASingleSizeThatWasMeasuredBadly()
    {
        assertThat(BodyCosts.cheapestLimit(List.of(new BodyCosts(2, 20, 30), new BodyCosts(4, 17, 16),
            new BodyCosts(6, 12, 15), new BodyCosts(8, 12, 10), new BodyCosts(16, 11, 7)))).isEqualTo(8);
    }

    @Test
    void shouldTakeOneFormForAllSizesWhenItAlwaysWins()
    {
        assertThat(BodyCosts.cheapestLimit(List.of(new BodyCosts(2, 30, 20), new BodyCosts(4, 20, 10)))).isEqualTo(2);
        assertThat(BodyCosts.cheapestLimit(List.of(new BodyCosts(2, 20, 30), new BodyCosts(4, 10, 20))))
            .isEqualTo(RowModeThreshold.MAX_ROWS);
    }

    @Test
    void shouldSetALimitAndFindBothFormsEqual()
    {
        RowModeThreshold.rows(1);
        new BatchCalibration().run();
        assertThat(RowModeThreshold.rows()).isBetween(2, RowModeThreshold.MAX_ROWS);
    }

    @Test
    void shouldLetTheFormsPutOutTheSame()
    {
        final SampleRows rows = new SampleRows();
        final SamplePipeline first = SamplePipeline.rowByRow(rows);
        final SamplePipeline second = SamplePipeline.byOperator(rows);
        first.run(7);
        second.run(24);
        assertThat(first.rowsOut()).isEqualTo(second.rowsOut()).isBetween(1_000L, SampleRows.ROWS / 5L);
    }

    @Test
    void shouldRefuseALimitOutsideOfItsRange()
    {
        assertThatThrownBy(() -> RowModeThreshold.rows(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RowModeThreshold.rows(RowModeThreshold.MAX_ROWS + 1))
            .isInstanceOf(IllegalArgumentException.class);
    }
}

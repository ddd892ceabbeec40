package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Every case file against the engine: as a server plans it, and with everything as flows. */
@Timeout(60)
class ConformanceEngineTest
{
    @TestFactory
    Stream<DynamicTest> shouldPassAsAServerPlansIt()
    {
        return tests(EngineRunner.Mode.DEFAULT);
    }

    @TestFactory
    Stream<DynamicTest> shouldPassWithFlowsOnly()
    {
        return tests(EngineRunner.Mode.FLOWS);
    }

    private static Stream<DynamicTest> tests(final EngineRunner.Mode mode)
    {
        final ConformanceRunner runner = new ConformanceRunner(mode);
        return ConformanceCases.tests(path -> true, file -> assertThat(runner.failure(file)).as(file.name()).isNull());
    }
}

package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Every case file on the engine: as a server plans it, with everything as flows, and with restarts. Tags select among
 * them for mutation tests.
 */
@Timeout(180)
class ConformanceEngineTest
{
    @TestFactory
    @Tag("server")
    Stream<DynamicTest> shouldPassAsAServerPlansIt()
    {
        return tests(CompiledCase.Mode.DEFAULT);
    }

    @TestFactory
    @Tag("flows")
    @Tag("slow")
    Stream<DynamicTest> shouldPassWithFlowsOnly()
    {
        return tests(CompiledCase.Mode.FLOWS);
    }

    /** Patterns: instants close at once, and those of two rows run in pipelines. */
    @TestFactory
    @Tag("server")
    @Tag("slow")
    Stream<DynamicTest> shouldPassWhenInputsAreTotallyOrdered()
    {
        final ConformanceRunner runner = new ConformanceRunner(
            new CompiledCase.Variant(CompiledCase.Mode.DEFAULT, false, true), false);
        return ConformanceCases.tests(path -> path.getParent().endsWith("pattern-features"),
            file -> assertThat(runner.failure(file)).as(file.name()).isNull());
    }

    /** Patterns: before each row and heartbeat, new engines restore the state of the last ones. */
    @TestFactory
    @Tag("restarts")
    @Tag("slow")
    Stream<DynamicTest> shouldPassWithRestarts()
    {
        final ConformanceRunner runner = new ConformanceRunner(
            new CompiledCase.Variant(CompiledCase.Mode.FLOWS, false, false), true);
        return Stream.concat(
            ConformanceCases.tests(path -> path.getParent().getFileName().toString().startsWith("pattern"),
                file -> assertThat(runner.failure(file)).as(file.name()).isNull()),
            Stream.of(DynamicTest.dynamicTest("what cannot be written", () ->
                assertThat(runner.unwritten()).as("%s", String.join(System.lineSeparator(), runner.unwritten()))
                    .allMatch(reason -> reason.contains("operator=PatternFunction")))));
    }

    private static Stream<DynamicTest> tests(final CompiledCase.Mode mode)
    {
        final ConformanceRunner runner = new ConformanceRunner(mode);
        return ConformanceCases.tests(path -> true, file -> assertThat(runner.failure(file)).as(file.name()).isNull());
    }
}

package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cql.testkit.interpreter.Refused;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Every case file against the reference interpreter. */
@Timeout(60)
class ConformanceInterpreterTest
{
    @TestFactory
    Stream<DynamicTest> shouldAgreeWithTheInterpreter()
    {
        assertThat(ConformanceCases.all()).hasSizeGreaterThan(100);
        return ConformanceCases.all().stream()
            .map(path -> DynamicTest.dynamicTest(path.getFileName().toString(), () -> check(path)));
    }

    private static void check(final Path path) throws Exception
    {
        final CaseFile file = CaseFile.read(path);
        if (file.expectError() == null)
        {
            final Reference reference = new Reference(file);
            assertThat(reference.difference(file, reference.run(file.arrivals()))).isNull();
        }
        else if (file.feature().equals("error-runtime"))
        {
            assertThat(new Reference(file).run(file.arrivals()).rejected()).isPositive();
        }
        else
        {
            assertThatThrownBy(() -> new Reference(file)).isInstanceOf(Refused.class);
        }
    }
}

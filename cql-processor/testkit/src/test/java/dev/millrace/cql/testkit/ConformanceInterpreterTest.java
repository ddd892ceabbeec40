package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cql.testkit.interpreter.syntax.InvalidStatementException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Every case on the reference interpreter, except features that it does not support. */
@Timeout(60)
class ConformanceInterpreterTest
{
    /** Cases of features that the interpreter does not support; their rows were computed manually. */
    private static final String BY_HAND = "by-hand";

    @TestFactory
    Stream<DynamicTest> shouldAgreeWithTheInterpreter()
    {
        assertThat(ConformanceCases.all()).hasSizeGreaterThan(100);
        return ConformanceCases.tests(
            path -> !path.getParent().getFileName().toString().equals(BY_HAND), ConformanceInterpreterTest::check);
    }

    private static void check(final CaseFile file)
    {
        if (file.expectError() == null)
        {
            final Reference reference = new Reference(file);
            assertThat(reference.difference(file, reference.run(file.arrivals()))).as(file.name()).isNull();
        }
        else if (file.feature().equals("error-runtime"))
        {
            assertThat(new Reference(file).run(file.arrivals()).rejected()).isPositive();
        }
        else
        {
            assertThatThrownBy(() -> new Reference(file)).isInstanceOf(InvalidStatementException.class);
        }
    }
}

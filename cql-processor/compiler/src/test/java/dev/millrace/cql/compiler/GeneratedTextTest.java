package dev.millrace.cql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.compiler.janino.JavacClassMaker;
import dev.millrace.cql.plan.PipelinePlan;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GeneratedTextTest
{
    @Test
    void shouldCompileWithBothCompilersWhenPlansAreThoseOfSignalGeneration()
    {
        for (final PipelinePlan plan : List.of(
            SignalPlans.pairPlan(), SignalPlans.bothPlan(), SignalPlans.sumPlan(100)))
        {
            final CompiledPipeline janino = new PipelineCompiler().compile(plan);
            if (Boolean.getBoolean("millrace.dump"))
            {
                System.out.println(janino.javaText());
            }
            final CompiledPipeline javac = new PipelineCompiler(
                new JavacClassMaker(), 1 << 24).compile(plan);
            assertThat(janino.type()).isNotNull();
            assertThat(javac.type()).isNotNull();
        }
    }

    @Test
    void shouldJumpPastLaterConditionsWhereTheMagnitudeOfTheChangeIsSmall()
    {
        final String text = new PipelineCompiler().compile(SignalPlans.bothPlan()).javaText();
        assertThat(text).containsPattern("if \\(\\(before & 14\\) != 0 & v\\d+\\)");
    }
}

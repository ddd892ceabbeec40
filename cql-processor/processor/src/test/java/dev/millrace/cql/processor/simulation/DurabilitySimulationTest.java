package dev.millrace.cql.processor.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** A durable processor emits each row once, whatever happens to the process, the machine and the disk. */
@Tag("slow")
@Timeout(7200)
class DurabilitySimulationTest
{
    private static final String SEED = "millrace.simulation.seed";
    private static final String SEEDS = "millrace.simulation.seeds";
    private static final int MOST_PROBLEMS = 5;

    private static Level level;

    /** Failures that the simulation causes are logged as errors. */
    @BeforeAll
    static void setUp()
    {
        level = logger().getLevel();
        logger().setLevel(Level.OFF);
    }

    @AfterAll
    static void tearDown()
    {
        logger().setLevel(level);
    }

    private static Logger logger()
    {
        return (Logger)LoggerFactory.getLogger("dev.millrace");
    }

    @Test
    void shouldEmitEachRowOnceWhateverHappens() throws Exception
    {
        final long first = Long.getLong(SEED, Long.getLong("seed", 1));
        final int count = System.getProperty(SEED) == null ? Integer.getInteger(SEEDS, 200) : 1;
        System.out.println("seeds=" + first + " to " + (first + count - 1));
        final List<String> problems = new ArrayList<>();
        for (long seed = first; seed < first + count && problems.size() < MOST_PROBLEMS; seed++)
        {
            final String problem = new Simulation(seed, Flaw.NONE).run();
            if (problem != null)
            {
                problems.add("seed=" + seed + ", repeat with -D" + SEED + '=' + seed + '\n' + problem);
            }
        }
        assertThat(problems).isEmpty();
    }

    /** The simulation would be useless if it did not find these. */
    @ParameterizedTest
    @EnumSource(value = Flaw.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void shouldFindFlawOfStorage(final Flaw flaw) throws Exception
    {
        long seed = 1;
        while (seed <= 200 && new Simulation(seed, flaw).run() == null)
        {
            seed++;
        }
        System.out.println(flaw + " found by seed " + seed);
        assertThat(seed).isLessThanOrEqualTo(200);
    }
}

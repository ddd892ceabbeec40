package dev.millrace.tuning.statements;

import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.tuning.engine.BenchNetwork;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A thousand statements, no two of which differ in only one value: each selects a symbol and prices above a bound, or
 * prices in a narrow range. Deterministic for a seed.
 */
final class StatementsData
{
    private static final int WIDEST_STEPS = 10;

    private final List<Alert> alerts = new ArrayList<>();
    private final List<Rule> rules = new ArrayList<>();

    /**
     * The condition of a statement.
     *
     * @param symbol   number, -1 for all symbols
     * @param above    price that must be exceeded, when there is a symbol
     * @param lowStep  minimum price in steps, when there is no symbol
     * @param highStep maximum price
     */
    record Alert(int symbol, double above, int lowStep, int highStep)
    {
        boolean isRange()
        {
            return symbol < 0;
        }

        /** The source text of the statement. */
        String text(final VwapData data)
        {
            final String where = isRange() ? "price between " + lowStep / (double)VwapData.PRICE_STEPS + " and " +
                highStep / (double)VwapData.PRICE_STEPS : "symbol = '" + data.names[symbol] + "' and price > " + above;
            return "select symbol, price, volume from Market where " + where;
        }
    }

    /**
     * @param variant {@code equality}, {@code ranges} or {@code mixed}
     * @param count   number of statements
     * @param data    provides the names of the symbols
     * @param seed    of the numbers
     */
    StatementsData(final String variant, final int count, final VwapData data, final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < count; i++)
        {
            final boolean isRange = variant.equals("ranges") || variant.equals("mixed") && i % 2 == 1;
            final int low = random.nextInt(VwapData.PRICE_STEPS, VwapData.PRICES - WIDEST_STEPS);
            final Alert alert = isRange ? new Alert(-1, 0, low, low + random.nextInt(WIDEST_STEPS)) :
                new Alert(i % VwapData.SYMBOLS, low / (double)VwapData.PRICE_STEPS, 0, 0);
            alerts.add(alert);
            rules.add(BenchNetwork.query("alert" + i, alert.text(data)));
        }
    }

    List<Alert> alerts()
    {
        return alerts;
    }

    List<Rule> rules()
    {
        return rules;
    }
}

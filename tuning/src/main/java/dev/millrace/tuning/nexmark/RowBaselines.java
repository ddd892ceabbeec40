package dev.millrace.tuning.nexmark;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;

/** Baselines of the queries over single bids: q0, q1, q2, q10, q13, q14, q21, q22. */
final class RowBaselines
{
    private static final long HOUR_NS = 3_600L * QueryBaseline.SECOND_NS;
    private static final long MINUTE_NS = 60L * QueryBaseline.SECOND_NS;
    private static final double DOLLARS = 0.908;

    private RowBaselines()
    {
    }

    /** All columns, for q1 with another price. */
    static final class Copy extends QueryBaseline
    {
        private final boolean inDollars;

        Copy(final NexmarkData data, final boolean inDollars)
        {
            super(data);
            this.inDollars = inDollars;
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            out.number(auctionOf(at));
            out.number(bidderOf(at));
            if (inDollars)
            {
                out.real(data.bidPrice[at] * DOLLARS);
            }
            else
            {
                out.number(data.bidPrice[at]);
            }
            out.number(timeNs);
            out.text(extra(at));
            out.insert();
        }
    }

    /** Bids on every 123rd auction. */
    static final class Selection extends QueryBaseline
    {
        Selection(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            final long auction = auctionOf(at);
            if (auction % 123 == 0)
            {
                out.number(auction);
                out.number(data.bidPrice[at]);
                out.insert();
            }
        }
    }

    /** Day and minute as strings, created once per minute. */
    static final class Dates extends QueryBaseline
    {
        private long minute = -1;
        private String day;
        private String clock;

        Dates(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            if (timeNs / MINUTE_NS != minute)
            {
                minute = timeNs / MINUTE_NS;
                final LocalDateTime time = LocalDateTime.ofEpochSecond(minute * 60, 0, ZoneOffset.UTC);
                day = time.toLocalDate().toString();
                clock = String.format(Locale.ROOT, "%02d:%02d", time.getHour(), time.getMinute());
            }
            out.number(auctionOf(at));
            out.number(bidderOf(at));
            out.number(data.bidPrice[at]);
            out.number(timeNs);
            out.text(extra(at));
            out.text(day);
            out.text(clock);
            out.insert();
        }
    }

    /** A value of a table of 10,000 for each bid. */
    static final class SideInput extends QueryBaseline
    {
        private final LongMap places = new LongMap();
        private final String[] values = SideTable.values();

        SideInput(final NexmarkData data)
        {
            super(data);
            for (int i = 0; i < SideTable.SIZE; i++)
            {
                places.put(i, i);
            }
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            final int value = places.get(auctionOf(at) % SideTable.SIZE);
            if (value >= 0)
            {
                out.number(auctionOf(at));
                out.number(bidderOf(at));
                out.number(data.bidPrice[at]);
                out.number(timeNs);
                out.text(values[value]);
                out.insert();
            }
        }
    }

    /** CASE of the hour and characters counted. */
    static final class Calculation extends QueryBaseline
    {
        Calculation(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            final double price = data.bidPrice[at] * DOLLARS;
            if (price > 1_000_000 && price < 50_000_000)
            {
                final long hour = timeNs / HOUR_NS % 24;
                final String extra = extra(at);
                out.number(auctionOf(at));
                out.number(bidderOf(at));
                out.real(price);
                out.text(hour >= 8 && hour <= 18 ? "dayTime" : hour <= 6 || hour >= 20 ? "nightTime" : "otherTime");
                out.number(timeNs);
                out.text(extra);
                out.number(NexmarkFunctions.countChar(extra, "c"));
                out.insert();
            }
        }
    }

    /** The number of the channel from its name or from the address. */
    static final class ChannelNumber extends QueryBaseline
    {
        private static final String PARAMETER = "&channel_id=";

        ChannelNumber(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            final String channel = channel(at);
            final String known = known(channel);
            final String number = known == null ? inAddress(url(at)) : known;
            if (number != null)
            {
                out.number(auctionOf(at));
                out.number(bidderOf(at));
                out.number(data.bidPrice[at]);
                out.text(channel);
                out.text(number);
                out.insert();
            }
        }

        private static String known(final String channel)
        {
            return channel.equalsIgnoreCase("apple") ? "0" : channel.equalsIgnoreCase("google") ? "1" :
                channel.equalsIgnoreCase("facebook") ? "2" : channel.equalsIgnoreCase("baidu") ? "3" : null;
        }

        /** No address begins with the parameter. */
        private static String inAddress(final String url)
        {
            final int at = url.indexOf(PARAMETER);
            if (at < 0)
            {
                return null;
            }
            final int from = at + PARAMETER.length();
            final int to = url.indexOf('&', from);
            return url.substring(from, to < 0 ? url.length() : to);
        }
    }

    /** Three parts of the address. */
    static final class Directories extends QueryBaseline
    {
        private static final int FIRST = 3;
        private static final int PARTS = 3;

        Directories(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            out.number(auctionOf(at));
            out.number(bidderOf(at));
            out.number(data.bidPrice[at]);
            out.text(channel(at));
            final String url = url(at);
            int from = 0;
            for (int i = 0; i < FIRST; i++)
            {
                from = url.indexOf('/', from) + 1;
            }
            for (int i = 0; i < PARTS; i++)
            {
                final int to = url.indexOf('/', from);
                out.text(url.substring(from, to));
                from = to + 1;
            }
            out.insert();
        }
    }
}

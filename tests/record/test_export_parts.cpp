#include <bit>
#include <filesystem>
#include <random>
#include <set>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <electret/core/errors.hpp>
#include <electret/core/text.hpp>
#include <electret/record/detail/charge_series.hpp>
#include <electret/record/detail/files.hpp>
#include <electret/record/detail/markup.hpp>
#include <electret/record/detail/output_file.hpp>
#include <electret/record/export.hpp>

#include "temporary_folder.hpp"

namespace electret {
namespace {

using test::TemporaryFolder;

/// The charges of all frames, from the series.
std::vector<std::vector<double>> spelled_out(const ChargeSeries& charges, std::size_t frames) {
  std::vector<std::vector<double>> result(frames);
  for (std::size_t f = 0; f < frames; ++f)
    for (const std::uint32_t s : charges.of_vertices()) {
      const auto& series = charges.series()[s];
      result[f].push_back(series.changes ? series.values.at(f) : series.values.at(0));
    }
  return result;
}

TEST(ChargeSeries, HoldEveryChargeOfRandomGroupsThatPart) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const std::size_t vertices = 1 + random() % 20, frames = 1 + random() % 12;
    ChargeSeries charges;
    std::vector<std::vector<double>> all;
    std::vector<double> now(vertices, 1.0);
    for (std::size_t f = 0; f < frames; ++f) {
      for (double& q : now)
        if (random() % 4 == 0) q = static_cast<double>(random() % 3) - 1.0;
      all.push_back(now);
      charges.add(now);
    }
    EXPECT_EQ(spelled_out(charges, frames), all);
  }
}

TEST(ChargeSeries, AreAsManyAsThereAreCourses) {
  ChargeSeries charges;
  for (int f = 0; f < 5; ++f) {
    std::vector<double> now(100, 2.0);
    for (std::size_t i = 0; i < 30; ++i) now[i] = f < 2 ? 2.0 : -0.5 * f;
    charges.add(now);
  }
  ASSERT_EQ(charges.series().size(), 2U);
  EXPECT_EQ(charges.series()[0].values, (std::vector<double>{2.0, 2.0, -1.0, -1.5, -2.0}));
  EXPECT_EQ(charges.series()[1].values, std::vector<double>{2.0});
}

TEST(ChargeSeries, TellMinusZeroFromZero) {
  ChargeSeries charges;
  charges.add(std::vector<double>{0.0, -0.0});
  EXPECT_EQ(charges.series().size(), 2U);
}

TEST(OutputFile, WritesNumbersInBothOrdersAndOverThem) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/file";
  OutputFile file(path);
  file.write(std::uint32_t{0x01020304}, std::endian::little);
  file.write(std::uint16_t{0x0506}, std::endian::big);
  file.write_digits(0.1);
  file.write_digits(Count{-7});
  EXPECT_EQ(file.length(), 11);
  file.write_over(0, "ab");
  file.write("!");
  file.close();
  EXPECT_EQ(read_file(path),
            "ab\x02\x01\x05\x06"
            "0.1-7!");
}

TEST(OutputFile, GoesOnBehindWhatIsKept) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/file", long_text(1 << 20, 'x');
  OutputFile file(path);
  file.write(long_text + "lost");
  file.close();
  OutputFile again(path, static_cast<Count>(long_text.size()));
  again.write("kept");
  again.close();
  EXPECT_EQ(read_file(path), long_text + "kept");
  EXPECT_THROW(OutputFile(path, Count{1} << 21), IoError);
  EXPECT_EQ(read_file(path), long_text + "kept");
}

TEST(ExportFormats, AreRowsWithAMakerAndHelp) {
  std::set<std::string_view> names;
  for (const ExportFormat& format : export_formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    EXPECT_NE(format.make, nullptr) << format.name;
    EXPECT_FALSE(format.help.empty()) << format.name;
  }
  EXPECT_EQ(names.size(), export_format_names().size());
  const TemporaryFolder folder;
  try {
    export_run(folder.path(), "vtz", folder / "out");
    FAIL() << "an unknown format";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 ("--to: error: unknown format \"vtz\"; allowed: " + joined(export_format_names())).c_str());
  }
}

TEST(Markup, NamesItsOwnCharacters) {
  EXPECT_EQ(marked_up("<a href=\"x\">&'ü</a>"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;ü&lt;/a&gt;");
}

}  // namespace
}  // namespace electret

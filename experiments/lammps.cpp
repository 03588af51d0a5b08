#include "lammps.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <apps/electret/programs.hpp>
#include <electret/core/errors.hpp>
#include <electret/core/stopwatch.hpp>
#include <electret/dynamics/simulator.hpp>

namespace electret::experiments {
namespace {

namespace fs = std::filesystem;

/// Coulomb's constant of LAMMPS's `units si`, N m²/C².
constexpr double lammps_constant = 8987600000.0;
constexpr double cut_off = 30.0, skin = 10.0;  // m; lists are never made anew

/// A folder of its own that goes with it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "electret-lammps-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw IoError("no temporary folder \"" + pattern + "\" could be made");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw IoError("\"" + path + "\" could not be written");
}

/// The program's data file: vertices are atoms, springs are bonds, each of a type of its own for its rest
/// length; LAMMPS's K is half of ours. Charges make up for its other constant.
std::string data_file(const Assembly& scene) {
  const VectorArray& x = scene.initial_positions;
  const double constant = scene.scene.coulomb->constant;
  std::string text = fmt::format(
      "electret\n\n{} atoms\n{} bonds\n1 atom types\n{} bond types\n\n"
      "-100 100 xlo xhi\n-100 100 ylo yhi\n-100 100 zlo zhi\n\nMasses\n\n1 {}\n\nBond Coeffs\n\n",
      x.size(), scene.springs.size(), scene.springs.size(), scene.masses[0]);
  for (std::size_t s = 0; s < scene.springs.size(); ++s)
    text += fmt::format("{} {} {}\n", s + 1, scene.springs[s].stiffness / 2, scene.springs[s].rest_length);
  text += "\nAtoms # full\n\n";
  for (std::size_t i = 0; i < x.size(); ++i)
    text += fmt::format("{} 1 1 {} {} {} {}\n", i + 1,
                        scene.charges[i] * std::sqrt(constant / lammps_constant), x[i].x, x[i].y, x[i].z);
  text += "\nBonds\n\n";
  for (std::size_t s = 0; s < scene.springs.size(); ++s)
    text += fmt::format("{} {} {} {}\n", s + 1, s + 1, scene.springs[s].i + 1, scene.springs[s].j + 1);
  return text;
}

Count most_bonds(const Assembly& scene) {
  std::vector<Count> bonds(scene.masses.size(), 0);
  for (const Spring& spring : scene.springs)
    for (const Index i : {spring.i, spring.j}) ++bonds[static_cast<std::size_t>(i)];
  return *std::max_element(bonds.begin(), bonds.end());
}

std::string deck(const TemporaryFolder& folder, Count bonds, double step, Count every, Count steps) {
  return fmt::format(R"(units si
atom_style full
boundary f f f
newton on
special_bonds lj/coul 1 1 1
pair_style coul/cut {cut_off}
bond_style harmonic
atom_modify map array sort 0 0
read_data {data} extra/bond/per/atom {bonds} extra/special/per/atom {special}
pair_coeff * *
neighbor {skin} bin
neigh_modify delay 1000000000 every 1000000000 check no one 20000 page 400000
comm_modify cutoff 45.0
timestep {step}
thermo {steps}
fix integrate all nve
dump states all custom {every} {dump} id x y z vx vy vz
dump_modify states sort id format float %.17g flush yes
run {steps}
)",
                     fmt::arg("cut_off", cut_off), fmt::arg("data", folder.file("data")),
                     fmt::arg("bonds", bonds), fmt::arg("special", bonds * bonds), fmt::arg("skin", skin),
                     fmt::arg("step", step), fmt::arg("steps", steps), fmt::arg("every", every),
                     fmt::arg("dump", folder.file("dump")));
}

pid_t start(const std::string& program, const TemporaryFolder& folder) {
  const std::string path = folder.file("screen");
  const app::Descriptor screen(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (screen.get() < 0) throw IoError("\"" + path + "\" could not be written");
  return app::start_program({program, "-in", folder.file("deck"), "-log", "none", "-echo", "none"},
                            {-1, screen.get(), screen.get()}, {"OMP_NUM_THREADS=1"});
}

/// Waits for it, and ends it when the user wants to stop. Whether it ended well.
bool wait_for(pid_t child, const Context& context, const std::string& what, double part) {
  int status = 0;
  try {
    while (waitpid(child, &status, WNOHANG) == 0) {
      context.progress(what, part);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  } catch (...) {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    throw;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// The first line with "ERROR", or what stands for none.
std::string error_of(const std::string& screen) {
  std::ifstream file(screen);
  for (std::string line; std::getline(file, line);)
    if (line.find("ERROR") != std::string::npos) return line;
  return "LAMMPS stopped without saying why";
}

/// Reads one frame of a dump into positions and velocities. False at the file's end, or where it breaks off.
bool read_frame(std::istream& dump, State& state) {
  std::string line;
  while (std::getline(dump, line) && line != "ITEM: TIMESTEP") {
  }
  if (!(dump >> state.step)) return false;
  while (std::getline(dump, line) && !line.starts_with("ITEM: ATOMS")) {
  }
  for (std::size_t i = 0; i < state.positions.size(); ++i) {
    Count id = 0;
    Vec3 &x = state.positions[i], &v = state.velocities[i];
    if (!(dump >> id >> x.x >> x.y >> x.z >> v.x >> v.y >> v.z)) return false;
    if (id != static_cast<Count>(i) + 1 || !is_finite(x) || !is_finite(v)) return false;
  }
  return true;
}

Motion read_motion(const std::string& path, Simulator& simulator, const Sampling& sampling, Count every) {
  Motion motion;
  motion.pictures.resize(sampling.pictures.size());
  std::ifstream dump(path);
  State state = simulator.state();
  const System& system = simulator.system();
  const auto steps_of = [&](double time) { return std::llround(time / system.time_step); };
  while (read_frame(dump, state)) {
    if (state.step % every != 0) continue;
    if (state.step % std::max<Count>(steps_of(sampling.interval), 1) == 0)
      add_sample(motion, simulator.system(), state, simulator.inputs(), system.time(state.step));
    for (std::size_t k = 0; k < sampling.pictures.size(); ++k)
      if (state.step == steps_of(sampling.pictures[k])) motion.pictures[k] = state.positions;
    motion.steps = state.step;
  }
  return motion;
}

}  // namespace

bool lammps_is_installed() {
  return !app::find_program("lmp").empty();
}

std::string no_lammps() {
  return "LAMMPS is not installed (no program lmp; Debian's package is lammps)";
}

Motion simulate_with_lammps(const Context& context, const SceneSource& scene, const Sampling& sampling,
                            const std::string& what, double part) {
  context.progress(what, part);
  Simulator simulator(compiled(context, scene));
  const Assembly& assembly = simulator.system().assembly;
  const double step = simulator.system().time_step;
  const Count steps = std::llround(sampling.end / step);
  Count every = std::max<Count>(std::llround(sampling.interval / step), 1);
  for (const double time : sampling.pictures) every = std::gcd(every, std::llround(time / step));
  const TemporaryFolder folder;
  write_text(folder.file("data"), data_file(assembly));
  write_text(folder.file("deck"), deck(folder, most_bonds(assembly), step, every, steps));
  double seconds = 0.0;
  bool ended_well = false;
  {
    const Stopwatch watch(seconds);
    ended_well = wait_for(start(app::find_program("lmp"), folder), context, what, part);
  }
  Motion motion = read_motion(folder.file("dump"), simulator, sampling, every);
  motion.seconds = seconds;
  if (!ended_well || motion.steps < steps) {
    motion.failed_at = simulator.system().time(motion.steps);
    motion.failure = error_of(folder.file("screen"));
  }
  return motion;
}

}  // namespace electret::experiments

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <electret/studio/protocol/bytes.hpp>
#include <electret/studio/protocol/json.hpp>
#include <electret/studio/server/pages.hpp>
#include <electret/studio/server/request.hpp>

namespace electret::studio {
namespace {

using ::testing::HasSubstr;

template <class Kind>
Kind command_of(const std::string& text) {
  const PageMessage message = read_message(text);
  const auto* request = std::get_if<Request>(&message);
  if (request == nullptr) throw std::runtime_error("no request: " + text);
  EXPECT_EQ(request->id, 7.0);
  return std::get<Kind>(request->command);
}
std::string refusal(const std::string& text) {
  const PageMessage message = read_message(text);
  const auto* refused = std::get_if<Refused>(&message);
  return refused != nullptr ? refused->error : "not refused";
}
bool is_malformed(const std::string& text) {
  return std::holds_alternative<Malformed>(read_message(text));
}

TEST(StudioProtocol, ReadsEveryCommand) {
  EXPECT_EQ(command_of<Hello>(R"({"t":"hello","id":7,"protocol":1})").protocol, 1);
  EXPECT_EQ(command_of<Play>(R"({"t":"play","id":7,"rate":0.25})").rate, 0.25);
  EXPECT_FALSE(command_of<Play>(R"({"t":"play","id":7,"rate":null,"beyond":true})").rate);
  EXPECT_TRUE(command_of<Play>(R"({"t":"play","id":7,"rate":null,"beyond":true})").beyond);
  EXPECT_EQ(command_of<Play>(R"({"t":"play","id":7})").rate, 1.0);
  command_of<Pause>(R"({"id":7,"t":"pause"})");
  EXPECT_EQ(command_of<Step>(R"({"t":"step","id":7,"n":12})").steps, 12);
  EXPECT_EQ(command_of<Step>(R"({"t":"step","id":7})").steps, 1);
  command_of<Reset>(R"({"t":"reset","id":7})");
  command_of<AskChoices>(R"({"t":"choices","id":7})");
  EXPECT_EQ(command_of<Seek>(R"({"t":"seek","id":7,"step":5,"live":true})").step, 5);
  EXPECT_TRUE(command_of<Seek>(R"({"t":"seek","id":7,"step":5,"live":true})").live);
  command_of<Stop>(R"({"t":"stop","id":7})");
  EXPECT_EQ(command_of<SelectView>(R"({"t":"select-view","id":7,"scalar":"speed"})").scalar, "speed");
  EXPECT_EQ(command_of<Open>(R"({"t":"open","id":7,"name":"a/b.toml"})").name, "a/b.toml");
  command_of<Quit>(R"({"t":"quit","id":7,"more":[1,{"x":null}]})");
  const auto begin = command_of<HandBegin>(
      R"({"t":"hand","id":7,"do":"begin","hand":2,"point":9,"brush":0.5,"at":[1,2,3.5],"strength":0.5})");
  EXPECT_EQ(begin.hand, 2);
  EXPECT_EQ(begin.point, 9);
  EXPECT_EQ(begin.brush, 0.5);
  EXPECT_EQ(begin.at, (Vec3{1, 2, 3.5}));
  EXPECT_EQ(begin.strength, 0.5);
  const auto plain = command_of<HandBegin>(R"({"t":"hand","id":7,"do":"begin","point":0})");
  EXPECT_EQ(plain.hand, 0);
  EXPECT_EQ(plain.brush, 0.0);
  EXPECT_FALSE(plain.at);
  EXPECT_EQ(plain.strength, 1.0);
  EXPECT_EQ(command_of<HandMove>(R"({"t":"hand","id":7,"do":"move","to":[1,-2,1e12]})").to,
            (Vec3{1, -2, 1e12}));
  EXPECT_FALSE(command_of<HandEnd>(R"({"t":"hand","id":7,"do":"end","hand":7})").stays);
  EXPECT_TRUE(command_of<HandEnd>(R"({"t":"hand","id":7,"do":"end","stays":true})").stays);
  const auto ball = command_of<BallBegin>(
      R"({"t":"ball","id":7,"do":"begin","hand":1,"at":[1,2,3.5],"charge":-2e-6,"width":0.25})");
  EXPECT_EQ(ball.hand, 1);
  EXPECT_EQ(ball.at, (Vec3{1, 2, 3.5}));
  EXPECT_EQ(ball.charge, -2e-6);
  EXPECT_EQ(ball.width, 0.25);
  EXPECT_EQ(command_of<BallMove>(R"({"t":"ball","id":7,"do":"move","to":[1,-2,3]})").to, (Vec3{1, -2, 3}));
  EXPECT_EQ(command_of<BallEnd>(R"({"t":"ball","id":7,"do":"end","hand":7})").hand, 7);
  const auto external = command_of<SetExternal>(
      R"({"t":"external","id":7,"external":2,"charge":1e-6,"position":[0,1,2],"gesture":5})");
  EXPECT_EQ(external.number, 2);
  EXPECT_EQ(external.charge, 1e-6);
  EXPECT_EQ(external.position, (Vec3{0, 1, 2}));
  EXPECT_EQ(external.gesture, 5.0);
  EXPECT_FALSE(command_of<SetExternal>(R"({"t":"external","id":7,"external":0,"position":[0,1,2]})").charge);
  EXPECT_TRUE(
      command_of<SetCharge>(R"({"t":"charge","id":7,"body":0,"group":"a","value":1,"key":true})").is_key);
  const auto keys = command_of<SetKeys>(
      R"({"t":"keys","id":7,"table":"body.0.pin.1","times":[0,0.5],"interpolation":"step","gesture":2,"revision":4,)"
      R"("lanes":[{"key":"offsets","values":[0,0,0,1,2,3]},{"key":"charges","value":[4]}]})");
  EXPECT_EQ(keys.table.key, "body.0.pin.1");
  EXPECT_EQ(keys.table.times, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(keys.table.interpolation, "step");
  ASSERT_EQ(keys.table.lanes.size(), 2U);
  EXPECT_EQ(keys.table.lanes[0].values, (std::vector<double>{0, 0, 0, 1, 2, 3}));
  EXPECT_EQ(keys.table.lanes[1].key, "charges");
  EXPECT_EQ(keys.table.lanes[1].value, std::vector<double>{4});
  EXPECT_EQ(keys.gesture, 2.0);
  EXPECT_EQ(keys.revision, 4);
  EXPECT_EQ(command_of<EndKeys>(R"({"t":"end-keys","id":7,"gesture":9})").gesture, 9.0);
  command_of<Replay>(R"({"t":"replay","id":7})");
  const auto tune =
      command_of<Tune>(R"({"t":"tune","id":7,"key":"time.step","toml":"1e-3","gesture":2,"revision":4})");
  EXPECT_EQ(tune.key, "time.step");
  EXPECT_EQ(tune.toml, "1e-3");
  EXPECT_EQ(tune.gesture, 2.0);
  EXPECT_EQ(tune.revision, 4);
  const auto toml_of = [](const std::string& value) {
    return command_of<Tune>(R"({"t":"tune","id":7,"key":"a","value":)" + value + "}").toml;
  };
  EXPECT_EQ(toml_of("0.123456789"), "0.1234568");  // As every number of a hand.
  EXPECT_EQ(toml_of("20"), "20.0");
  EXPECT_EQ(toml_of("true"), "true");
  EXPECT_EQ(toml_of(R"("a\"b")"), R"("a\"b")");
  EXPECT_EQ(toml_of("[0,-9.81,1e-3]"), "[0.0, -9.81, 0.001]");
  EXPECT_FALSE(toml_of("null"));
  EXPECT_EQ(command_of<RemoveTack>(R"({"t":"remove-tack","id":7,"number":3})").number, 3U);
  EXPECT_TRUE(command_of<Step>(R"({"t":"step","id":7,"beyond":true})").beyond);
  const auto charge =
      command_of<SetCharge>(R"({"t":"charge","id":7,"body":2,"group":"a","value":-1e-6,"gesture":4})");
  EXPECT_EQ(charge.body, 2);
  EXPECT_EQ(charge.group, "a");
  EXPECT_EQ(charge.value, -1e-6);
  EXPECT_EQ(charge.gesture, 4.0);
  for (const char* group : {"", R"("group":null,)"}) {
    const auto own =
        command_of<SetCharge>(std::string(R"({"t":"charge","id":7,)") + group + R"("body":0,"value":0})");
    EXPECT_FALSE(own.group);
    EXPECT_EQ(own.gesture, 0.0);
  }
  const auto paint =
      command_of<Paint>(R"({"t":"paint","id":7,"body":1,"vertices":[3,0],"charges":[1e-7,-2e-7]})");
  EXPECT_EQ(paint.body, 1);
  EXPECT_EQ(paint.vertices, (std::vector<Count>{3, 0}));
  EXPECT_EQ(paint.charges, (std::vector<double>{1e-7, -2e-7}));
  const auto group = command_of<MakeGroup>(R"({"t":"group","id":7,"body":1,"name":"x","vertices":[5]})");
  EXPECT_EQ(group.name, "x");
  EXPECT_EQ(group.vertices, std::vector<Count>{5});
  command_of<Undo>(R"({"t":"undo","id":7})");
  EXPECT_FALSE(command_of<Save>(R"({"t":"save","id":7})").over);
  EXPECT_TRUE(command_of<Save>(R"({"t":"save","id":7,"over":true})").over);
  EXPECT_FALSE(command_of<Save>(R"({"t":"save","id":7})").name);
  EXPECT_FALSE(command_of<Save>(R"({"t":"save","id":7,"name":null})").name);
  EXPECT_EQ(command_of<Save>(R"({"t":"save","id":7,"name":"../a"})").name, "../a");
  EXPECT_THAT(refusal(R"({"t":"save","id":7,"name":3})"), HasSubstr("not a text"));
  const auto field = command_of<AskField>(
      R"({"t":"field","id":7,"number":4,"corner":[1,2,3],"across":[0.5,0,0],"along":[0,0,-1],"columns":32,"rows":32})");
  EXPECT_EQ(field.number, 4U);
  EXPECT_EQ(field.corner, (Vec3{1, 2, 3}));
  EXPECT_EQ(field.along, (Vec3{0, 0, -1}));
  EXPECT_EQ(field.columns, 32);
  for (const char* size : {R"("columns":32,"rows":33)", R"("columns":4e9,"rows":4e9)"})
    EXPECT_THAT(refusal(std::string(R"({"t":"field","id":7,"number":4,"corner":[1,2,3],"across":[0,0,0],)") +
                        R"("along":[0,0,0],)" + size + "}"),
                HasSubstr("at most 1024 points"));
  command_of<AskSession>(R"({"t":"session","id":7})");
  const auto typed =
      command_of<TypedText>(R"({"t":"text","id":7,"number":3,"revision":2,"text":"a\nb","apply":true})");
  EXPECT_EQ(typed.number, 3);
  EXPECT_EQ(typed.revision, 2);
  EXPECT_EQ(typed.text, "a\nb");
  EXPECT_TRUE(typed.apply);
  EXPECT_FALSE(command_of<TypedText>(R"({"t":"text","id":7,"number":0,"revision":0,"text":""})").apply);
  for (const char* bad : {R"({"t":"text","id":7,"number":-1,"revision":2,"text":""})",
                          R"({"t":"text","id":7,"number":1,"revision":0.5,"text":""})",
                          R"({"t":"text","id":7,"number":1,"revision":2,"text":4})",
                          R"({"t":"text","id":7,"number":1,"revision":2})",
                          R"({"t":"text","id":7,"number":1,"revision":2,"text":"","apply":1})"})
    EXPECT_TRUE(std::holds_alternative<Refused>(read_message(bad))) << bad;
  command_of<Reload>(R"({"t":"reload","id":7})");
  command_of<KeepOpen>(R"({"t":"keep","id":7})");
  command_of<TakeUp>(R"({"t":"take-up","id":7})");
  command_of<LeaveEarlier>(R"({"t":"leave-earlier","id":7})");
  command_of<Continue>(R"({"t":"continue","id":7})");
  command_of<Redo>(R"({"t":"redo","id":7})");
  EXPECT_EQ(std::get<Drawn>(read_message(R"({"t":"drawn","sequence":9})")).sequence, 9U);
}

TEST(StudioProtocol, ReadsWhatIsKept) {
  const auto ask = command_of<AskFrame>(R"({"t":"frame","id":7,"step":12,"number":3})");
  EXPECT_EQ(ask.step, 12);
  EXPECT_EQ(ask.number, 3U);
  const auto trace = command_of<RayTrace>(
      R"({"t":"trace","id":7,"number":4,"width":640,"height":480,"eye":[1,2,3],"target":[0,0,1],"low":-1e-6,
          "high":2e-6,"springs":true,"no_ground":true})");
  EXPECT_EQ(trace.number, 4U);
  EXPECT_EQ(trace.width, 640);
  EXPECT_EQ(trace.height, 480);
  EXPECT_EQ(trace.eye, (Vec3{1, 2, 3}));
  EXPECT_EQ(trace.target, (Vec3{0, 0, 1}));
  EXPECT_EQ(trace.low, -1e-6);
  EXPECT_EQ(trace.high, 2e-6);
  EXPECT_TRUE(trace.springs && !trace.ground && trace.labels);
  command_of<StopTracing>(R"({"t":"stop-tracing","id":7})");
  const auto gradient = command_of<AskGradient>(R"({"t":"gradient","id":7,"number":5,"loss":"energy"})");
  EXPECT_EQ(gradient.number, 5U);
  EXPECT_EQ(gradient.loss, "energy");
  command_of<StopGradient>(R"({"t":"stop-gradient","id":7})");
  const auto record = command_of<Record>(R"({"t":"record","id":7,"name":"a b","over":true})");
  EXPECT_EQ(record.name, "a b");
  EXPECT_TRUE(record.over);
  EXPECT_FALSE(command_of<Record>(R"({"t":"record","id":7,"name":""})").over);
  command_of<StopRecording>(R"({"t":"stop-recording","id":7})");
}

TEST(StudioProtocol, AnswersWhatCannotBeKept) {
  const auto trace = [](const std::string& width, const std::string& height,
                        const std::string& eye = "[1,2,3]", const std::string& low = "0") {
    return refusal(R"({"t":"trace","id":7,"number":4,"width":)" + width + R"(,"height":)" + height +
                   R"(,"eye":)" + eye + R"(,"target":[0,0,0],"low":)" + low + R"(,"high":1})");
  };
  for (const char* side : {"0", "-1", "15", "8193", "1e300", "\"640\"", "null"}) {
    EXPECT_THAT(trace(side, "480"), HasSubstr("width")) << side;
    EXPECT_THAT(trace("480", side), HasSubstr("height")) << side;
  }
  EXPECT_THAT(trace("16.5", "480"), HasSubstr("whole"));
  EXPECT_THAT(trace("8192", "8192"), HasSubstr("36 million"));
  EXPECT_THAT(trace("640", "480", "[0,0,0]"), HasSubstr("\"eye\" is where"));
  EXPECT_THAT(trace("640", "480", "[0,0]"), HasSubstr("not a place"));
  EXPECT_THAT(trace("640", "480", "[1e13,0,0]"), HasSubstr("not a place"));
  EXPECT_THAT(trace("640", "480", "[1,0,0]", "null"), HasSubstr("low"));
  EXPECT_THAT(refusal(R"({"t":"frame","id":7,"step":-1,"number":1})"), HasSubstr("step"));
  EXPECT_THAT(refusal(R"({"t":"frame","id":7,"step":1})"), HasSubstr("number"));
  EXPECT_THAT(refusal(R"({"t":"gradient","id":7,"number":1})"), HasSubstr("loss"));
  EXPECT_THAT(refusal(R"({"t":"record","id":7})"), HasSubstr("\"name\" is missing"));
  EXPECT_THAT(refusal(R"({"t":"record","id":7,"name":["a"]})"), HasSubstr("text"));
  EXPECT_THAT(refusal(R"({"t":"record","id":7,"name":"a","over":1})"), HasSubstr("neither true nor false"));
  EXPECT_THAT(refusal(R"({"t":"gradient","id":7,"number":1,"loss":")" + std::string(2001, 'x') + "\"}"),
              HasSubstr("2000"));
}

TEST(StudioProtocol, AnswersWhatIsUnknownOrOutOfRange) {
  EXPECT_THAT(refusal(R"({"t":"fly","id":7})"), HasSubstr("fly"));
  for (const char* rate : {"0", "-1", "1e7", "\"1\"", "true", "[1]"})
    EXPECT_THAT(refusal(std::string(R"({"t":"play","id":7,"rate":)") + rate + "}"), HasSubstr("rate"))
        << rate;
  for (const char* n : {"0", "-1", "1.5", "1e300", "null", "\"2\""})
    EXPECT_THAT(refusal(std::string(R"({"t":"step","id":7,"n":)") + n + "}"), HasSubstr("\"n\"")) << n;
  EXPECT_THAT(refusal(R"({"t":"seek","id":7})"), HasSubstr("missing"));
  EXPECT_THAT(refusal(R"({"t":"seek","id":7,"step":-1})"), HasSubstr("step"));
  EXPECT_THAT(refusal(R"({"t":"seek","id":7,"step":1,"live":1})"), HasSubstr("live"));
  EXPECT_THAT(refusal(R"({"t":"open","id":7,"name":5})"), HasSubstr("text"));
  const auto hand = [](const std::string& fields) {
    return refusal(R"({"t":"hand","id":7,)" + fields + "}");
  };
  EXPECT_THAT(hand(R"("hand":0)"), HasSubstr("\"do\" is missing"));
  EXPECT_THAT(hand(R"("do":"hold")"), HasSubstr("none of begin, move, end"));
  EXPECT_THAT(hand(R"("do":"begin")"), HasSubstr("\"point\" is missing"));
  for (const char* number : {"8", "-1", "0.5", "1e300", "\"0\""})
    EXPECT_THAT(hand(std::string(R"("do":"end","hand":)") + number), HasSubstr("\"hand\"")) << number;
  for (const char* place : {"[1,2]", "[1,2,3,4]", "[1,2,\"3\"]", "[1,2,null]", "[1,2,-1.1e12]", "{}", "3"})
    EXPECT_THAT(hand(std::string(R"("do":"move","to":)") + place), HasSubstr("not a place")) << place;
  EXPECT_THAT(hand(R"("do":"move")"), HasSubstr("\"to\" is missing"));
  for (const char* brush : {"-1", "1e13", "\"1\""})
    EXPECT_THAT(hand(std::string(R"("do":"begin","point":1,"brush":)") + brush), HasSubstr("\"brush\""));
  for (const char* strength : {"0", "1.5", "null"})
    EXPECT_THAT(hand(std::string(R"("do":"begin","point":1,"strength":)") + strength), HasSubstr("strength"));
  EXPECT_THAT(hand(R"("do":"end","stays":1)"), HasSubstr("neither true nor false"));
  EXPECT_THAT(refusal(R"({"t":"remove-tack","id":7})"), HasSubstr("\"number\" is missing"));
  EXPECT_THAT(refusal(R"({"t":"leave","id":7})"), HasSubstr("no message"));
  EXPECT_THAT(refusal(R"({"t":"hello","id":7})"), HasSubstr("protocol"));
}

TEST(StudioProtocol, AnswersWhatIsNoCharge) {
  for (const char* value : {"null", "\"1\"", "1e13", "-1e13", "[1]"})
    EXPECT_THAT(refusal(std::string(R"({"t":"charge","id":7,"body":0,"value":)") + value + "}"),
                HasSubstr("not a charge"))
        << value;
  EXPECT_THAT(refusal(R"({"t":"charge","id":7,"value":1})"), HasSubstr("\"body\" is missing"));
  EXPECT_THAT(refusal(R"({"t":"charge","id":7,"body":-1,"value":1})"), HasSubstr("body"));
  EXPECT_THAT(refusal(R"({"t":"charge","id":7,"body":0,"group":3,"value":1})"), HasSubstr("text"));
  EXPECT_THAT(refusal(R"({"t":"charge","id":7,"body":0,"value":1,"gesture":-1})"), HasSubstr("gesture"));
  const auto paint = [](const std::string& fields) {
    return refusal(R"({"t":"paint","id":7,"body":0,)" + fields + "}");
  };
  for (const char* vertices : {"3", "[-1]", "[0.5]", "[\"1\"]", "[1e10]", "{}", "[null]"})
    EXPECT_THAT(paint(std::string(R"("charges":[1],"vertices":)") + vertices),
                HasSubstr("not a list of vertices"))
        << vertices;
  for (const char* charges : {"3", "[]", "[1,2]", "[null]", "[1e13]", "[\"1\"]"})
    EXPECT_THAT(paint(std::string(R"("vertices":[1],"charges":)") + charges), HasSubstr("as many charges"))
        << charges;
  EXPECT_THAT(refusal(R"({"t":"group","id":7,"body":0,"vertices":[1]})"), HasSubstr("\"name\" is missing"));
}

TEST(StudioProtocol, AnswersWhatIsNoBallNoExternalChargeAndNoKeys) {
  for (const char* bad :
       {R"({"t":"ball","id":7,"do":"begin","at":[1,2],"charge":1e-6,"width":0.1})",
        R"({"t":"ball","id":7,"do":"begin","at":[1,2,3],"charge":0,"width":0.1})",
        R"({"t":"ball","id":7,"do":"begin","at":[1,2,3],"charge":1e13,"width":0.1})",
        R"({"t":"ball","id":7,"do":"begin","at":[1,2,3],"charge":"1","width":0.1})",
        R"({"t":"ball","id":7,"do":"begin","at":[1,2,3],"charge":1e-6,"width":0})",
        R"({"t":"ball","id":7,"do":"begin","at":[1,2,3],"charge":1e-6})",
        R"({"t":"ball","id":7,"do":"begin","hand":8,"at":[1,2,3],"charge":1e-6,"width":1})",
        R"({"t":"ball","id":7,"do":"throw"})",
        R"({"t":"ball","id":7,"do":"move"})",
        R"({"t":"external","id":7,"external":0})",
        R"({"t":"external","id":7,"external":-1,"charge":1e-6})",
        R"({"t":"external","id":7,"external":0,"charge":true})",
        R"({"t":"external","id":7,"external":0,"position":[1,2,1e13]})",
        R"({"t":"external","id":7,"charge":1e-6})",
        R"({"t":"external","id":7,"external":0,"charge":1,"position":[1,2,3],"key":true})",
        R"({"t":"keys","id":7,"table":1,"times":[],"interpolation":"step","lanes":[]})",
        R"({"t":"keys","id":7,"table":"a","times":[null],"interpolation":"step","lanes":[]})",
        R"({"t":"keys","id":7,"table":"a","times":[],"interpolation":"step","lanes":[1]})",
        R"({"t":"keys","id":7,"table":"a","times":[],"interpolation":"step","lanes":[{}]})",
        R"({"t":"keys","id":7,"table":"a","times":[1e13],"interpolation":"","lanes":[]})",
        R"({"t":"end-keys","id":7})"})
    EXPECT_NE(refusal(bad), "not refused") << bad;
}

TEST(StudioProtocol, AnswersWhatIsNoField) {
  const auto tune = [](const std::string& fields) {
    return refusal(R"({"t":"tune","id":7,)" + fields + "}");
  };
  EXPECT_THAT(tune(R"("value":1)"), HasSubstr("\"key\" is missing"));
  EXPECT_THAT(tune(R"("key":4,"value":1)"), HasSubstr("text"));
  EXPECT_THAT(tune(R"("key":"a")"), HasSubstr("\"value\" is missing"));
  for (const char* value : {"{}", "[]", "[1,2]", "[1,2,3,4]", "[1,2,\"3\"]", "[1,null,3]", "[[1,2,3]]"})
    EXPECT_THAT(tune(std::string(R"("key":"a","value":)") + value), HasSubstr("\"value\" is no number"))
        << value;
  EXPECT_THAT(tune(R"("key":"a","toml":1)"), HasSubstr("text"));
  EXPECT_THAT(tune(R"("key":"a","toml":")" + std::string(2001, '1') + '"'), HasSubstr("2000 bytes"));
  EXPECT_THAT(tune(R"("key":"a","value":1,"gesture":-1)"), HasSubstr("gesture"));
  EXPECT_THAT(tune(R"("key":"a","value":1,"revision":0.5)"), HasSubstr("revision"));
  EXPECT_TRUE(is_malformed(R"({"t":"tune","id":7,"key":"a","value":1e999})"));
}

TEST(StudioProtocol, ClosesOnWhatIsNoMessage) {
  for (const char* text :
       {"", "x", "[]", "1", "\"t\"", "null", "{", "{}", R"({"t":1,"id":7})", R"({"t":"pause"})",
        R"({"t":"pause","id":"7"})", R"({"t":"pause","id":1e999})", R"({"t":"seek","id":7,"step":1e999})",
        R"({"t":"drawn"})", R"({"t":"drawn","sequence":-1})", R"({"t":"pause","id":7} x)",
        "{\"t\":\"pause\",\"id\":7,\"x\":\"\xff\"}", R"({"t":"pause","id":NaN})"})
    EXPECT_TRUE(is_malformed(text)) << text;
}

TEST(StudioProtocol, NestingIsBounded) {
  const auto nested = [](int depth) {
    return R"({"t":"pause","id":7,"x":)" + std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']') + "}";
  };
  EXPECT_FALSE(is_malformed(nested(deepest_json - 1)));
  EXPECT_TRUE(is_malformed(nested(deepest_json)));
  EXPECT_TRUE(is_malformed(std::string(100000, '[')));
  EXPECT_TRUE(is_malformed(std::string(most_message_bytes + 1, ' ')));
  // Brackets within a text do not count, nor do quotes behind a backslash.
  EXPECT_FALSE(is_malformed(R"({"t":"pause","id":7,"x":"\"[[[[[[[[[[[[[[[[[[[[[[[["})"));
}

TEST(StudioProtocol, WritesWhatOnePageAskedFor) {
  const auto json = [](const Event& event) { return nlohmann::json::parse(write_event(event)); };
  EXPECT_EQ(
      json(SavedInfo{"a/b.toml", "copy:a/b.toml", {"x.csv"}}),
      nlohmann::json::parse(R"({"t":"saved","path":"a/b.toml","copy":"copy:a/b.toml","tables":["x.csv"]})"));
  EXPECT_EQ(json(SessionInfo{"runs/x", {{"session.toml", 12}}, {{3, 0.5, "a pull", 7}, {4, 0.75, "k=1"}}, 9}),
            nlohmann::json::parse(R"({"t":"session","folder":"runs/x","files":[{"name":"session.toml",
                "bytes":12}],"journal":[{"step":3,"time":0.5,"what":"a pull","until":7},
                {"step":4,"time":0.75,"what":"k=1","until":null}],"all":9})"));
  const auto floats = std::make_shared<const std::vector<float>>(std::vector<float>{1, 2, 3, 4, 5, -6});
  const std::string bytes = event_bytes(FieldValues{7, 3, 40, floats});
  ASSERT_EQ(bytes.size(), 64U + 24U);
  EXPECT_EQ(bytes[6], 6);
  std::uint32_t generation = 0, number = 0, points = 0;
  float last = 0.0F;
  std::memcpy(&generation, bytes.data() + 8, 4);
  std::memcpy(&number, bytes.data() + 12, 4);
  std::memcpy(&points, bytes.data() + 32, 4);
  std::memcpy(&last, bytes.data() + 84, 4);
  EXPECT_EQ(generation, 3U);
  EXPECT_EQ(number, 7U);
  EXPECT_EQ(points, 2U);
  EXPECT_EQ(last, -6.0F);
}

TEST(StudioProtocol, WritesEventsAsJson) {
  const auto json = [](const Event& event) { return nlohmann::json::parse(write_event(event)); };
  EXPECT_EQ(json(Answer{3.0, ""}), nlohmann::json::parse(R"({"t":"re","re":3,"ok":true})"));
  EXPECT_EQ(json(Answer{3.0, "no"}), nlohmann::json::parse(R"({"t":"re","re":3,"ok":false,"error":"no"})"));
  StateInfo state;
  state.phase = Phase::diverged;
  state.reason = "why";
  state.vertex = 4;
  state.as_fast_as_possible = true;
  EXPECT_EQ(json(state)["state"], "diverged");
  EXPECT_EQ(json(state)["vertex"], 4);
  EXPECT_FALSE(json(state).contains("scalar"));
  state.scalar = "speed";
  EXPECT_EQ(json(state)["scalar"], "speed");
  EXPECT_TRUE(json(state)["wanted"].is_null());
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EnergyRows rows{5, {{0.5, nan, 2, 3, 4, 5, 6, 7, std::numeric_limits<double>::infinity()}}, false};
  EXPECT_EQ(json(rows)["rows"][0], nlohmann::json::parse("[0.5,null,2.0,3.0,4.0,5.0,6.0,7.0,null]"));
  EXPECT_EQ(json(rows)["from"], 5);
  EXPECT_EQ(
      json(DocumentInfo{"a", "b", "bad \xff byte", {{"error", 1, 2, "f", "m"}}, true})["findings"][0]["line"],
      1);
  EXPECT_EQ(json(Welcome{"1", 3})["protocol"], protocol_version);
  EXPECT_EQ(json(Welcome{"1", 3})["page"], 3);
  const HandsInfo hands{{{4, "held", 2, 1, "b", 3, 5.0, 0.5}, {5, "tack", 0, 0, "b", 1, 2.0, nan}}};
  EXPECT_EQ(json(hands), nlohmann::json::parse(R"({"t": "hands", "hands": [
    {"number": 4, "kind": "held", "page": 2, "hand": 1, "body": "b", "vertices": 3, "stiffness": 5.0, "damping": 0.5},
    {"number": 5, "kind": "tack", "body": "b", "vertices": 1, "stiffness": 2.0, "damping": null}]})"));
  EXPECT_EQ(json(TextChecked{3, {{"error", 1, 2, "f", "m"}}, "wrong", {"a.b"}, false, "why"}),
            nlohmann::json::parse(R"({"t": "checked", "number": 3, "effect": "wrong", "waiting": ["a.b"],
    "findings": [{"severity": "error", "line": 1, "column": 2, "file": "f", "message": "m"}],
    "applied": false, "error": "why"})"));
  EXPECT_EQ(json(EarlierInfo{"p", 5, true, false, "d"}),
            nlohmann::json::parse(
                R"({"t": "earlier", "path": "p", "steps": 5, "cut": true, "edited": false, "damage": "d"})"));
  EXPECT_EQ(json(FilesInfo{{{"a", true}}}),
            nlohmann::json::parse(R"({"t": "files", "changed": [{"path": "a", "gone": true}]})"));
  EXPECT_EQ(json(ChoicesInfo{{{"n", "run", "t", "f"}}})["entries"][0]["kind"], "run");
  EXPECT_EQ(json(FieldsInfo{{{"body.0", "body", "x", {{"mass", "0.1"}}}}}), nlohmann::json::parse(R"(
    {"t": "fields", "tables": [{"key": "body.0", "table": "body", "label": "x", "values": {"mass": "0.1"}}]})"));
  EXPECT_EQ(json(ChangesInfo{{{3, 0.5, {"a=1"}, std::nullopt}}, 4}), nlohmann::json::parse(R"(
    {"t": "changes", "all": 4, "changes": [{"step": 3, "time": 0.5, "set": ["a=1"], "energy": null}]})"));
  SystemInfo system;
  system.legs = {{0, 0.0, 0.5}, {4, 2.0, 0.25}};
  EXPECT_EQ(json(system)["legs"], nlohmann::json::parse("[[0, 0.0, 0.5], [4, 2.0, 0.25]]"));
  EXPECT_TRUE(json(system)["rebuild_ms"].is_null());
  EXPECT_TRUE(write_event(std::make_shared<const Topology>()).empty());
}

/// What the page makes its fields of: each row of the schema with its range and what an edit does.
TEST(StudioProtocol, TellsTheSchema) {
  const auto schema = nlohmann::json::parse(write_event(SchemaInfo{}));
  EXPECT_EQ(schema["t"], "schema");
  const auto row = [&](const std::string& table, const std::string& key) {
    for (const auto& each : schema["tables"])
      for (const auto& own : each["rows"])
        if (each["table"] == table && own["key"] == key) return own;
    return nlohmann::json();
  };
  const auto stiffness = row("body.springs", "stiffness");
  EXPECT_EQ(stiffness["kind"], "number");
  EXPECT_EQ(stiffness["unit"], "N/m");
  EXPECT_EQ(stiffness["effect"], "live");
  EXPECT_EQ(stiffness["range"]["least"], 0.0);
  EXPECT_TRUE(stiffness["range"]["most"].is_null());
  EXPECT_FALSE(stiffness["range"]["above"]);
  EXPECT_TRUE(row("time", "step")["range"]["above"]);
  EXPECT_EQ(row("body", "scale")["effect"], "reset");
  EXPECT_EQ(row("integrator", "method")["default"], "\"imex\"");
  EXPECT_EQ(row("integrator", "method")["choices"].size(), 9U);
  EXPECT_FALSE(row("gravity", "acceleration").contains("range"));
  for (const auto& each : schema["tables"])
    for (const auto& own : each["rows"]) EXPECT_FALSE(own["about"].get<std::string>().empty());
}

template <class T>
T read_at(const std::string& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

Floats floats(std::initializer_list<float> values) {
  return std::make_shared<std::vector<float>>(values);
}

TEST(StudioProtocol, AFrameHasItsHeadAndTheBlocksThatChanged) {
  Frame frame{5,
              6,
              1.5,
              70,
              {1, 2, 3},
              2,
              floats({1, 2, 3, 4, 5, 6}),
              floats({7, 8}),
              nullptr,
              nullptr,
              floats({9, 10, 11, 12})};
  SentFrame sent;
  const std::string first = frame_bytes(frame, sent);
  ASSERT_EQ(first.size(), 64U + 4 * (6 + 2 + 4));
  EXPECT_EQ(first.substr(0, 4), "ELC1");
  EXPECT_EQ(read_at<std::uint16_t>(first, 4), 1);
  EXPECT_EQ(first[6], 1);
  EXPECT_EQ(first[7], has_charges | has_external | is_jump);
  EXPECT_EQ(read_at<std::uint32_t>(first, 8), 5U);
  EXPECT_EQ(read_at<std::uint32_t>(first, 12), 6U);
  EXPECT_EQ(read_at<double>(first, 16), 1.5);
  EXPECT_EQ(read_at<std::uint64_t>(first, 24), 70U);
  EXPECT_EQ(read_at<std::uint32_t>(first, 32), 2U);
  EXPECT_EQ(read_at<double>(first, 56), 3.0);
  EXPECT_EQ(read_at<float>(first, 64 + 20), 6.0F);
  EXPECT_EQ(read_at<float>(first, 64 + 28), 8.0F);
  frame.scalar = floats({0, 1});
  ++frame.step;
  const std::string second = frame_bytes(frame, sent);
  EXPECT_EQ(second[7], has_scalar);
  EXPECT_EQ(second.size(), 64U + 4 * (6 + 2));
  // Hands come with every frame that has any.
  frame.hands = floats({1, 2, 3, 4, 5, 6, 7, 0, 9});
  for (int time = 0; time < 2; ++time) {
    ++frame.step;
    const std::string held = frame_bytes(frame, sent);
    EXPECT_EQ(held[7], has_hands);
    EXPECT_EQ(held.size(), 64U + 4 * (6 + 9));
    EXPECT_EQ(read_at<float>(held, 64 + 24 + 32), 9.0F);
  }
  // Charges in hands, which are counted, come before them.
  frame.balls = floats({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  ++frame.step;
  const std::string balls = frame_bytes(frame, sent);
  EXPECT_EQ(balls[7], has_hands | has_balls);
  EXPECT_EQ(read_at<std::uint32_t>(balls, 36), 2U);
  EXPECT_EQ(balls.size(), 64U + 4 * (6 + 10 + 9));
  EXPECT_EQ(read_at<float>(balls, 64 + 24 + 36), 10.0F);
  EXPECT_EQ(read_at<float>(balls, 64 + 24 + 40 + 32), 9.0F);
}

/// Of what the page was sent, which may lack frames in between.
TEST(StudioProtocol, AFrameSaysThatItIsNotTheNextStepOfWhatThePageWasSent) {
  Frame frame;
  frame.generation = 3;
  frame.positions = floats({});
  SentFrame sent;
  const auto jumps = [&](Count step) {
    frame.step = step;
    return (frame_bytes(frame, sent)[7] & is_jump) != 0;
  };
  EXPECT_TRUE(jumps(0)) << "the first of a generation";
  EXPECT_FALSE(jumps(1));
  EXPECT_TRUE(jumps(3));
  EXPECT_TRUE(jumps(3));
  EXPECT_FALSE(jumps(4));
  EXPECT_TRUE(jumps(2));
  ++frame.generation;
  EXPECT_TRUE(jumps(3));
}

TEST(StudioProtocol, ATopologyHasItsCountsAndIndices) {
  const std::string bytes = topology_bytes({2, 9, {1, 2, 3}, {{0, 1}, {1, 2}}, {{0, 1, 2}}, {4, 5, 6}});
  ASSERT_EQ(bytes.size(), 64U + 16 + 4 * (4 + 3 + 3));
  EXPECT_EQ(bytes[6], 2);
  EXPECT_EQ(read_at<std::uint32_t>(bytes, 64), 2U);
  EXPECT_EQ(read_at<std::uint32_t>(bytes, 68), 1U);
  EXPECT_EQ(read_at<std::uint32_t>(bytes, 72), 3U);
  EXPECT_EQ(read_at<std::uint32_t>(bytes, 80 + 12), 2U);
  EXPECT_EQ(read_at<std::uint32_t>(bytes, 80 + 24), 2U);
  EXPECT_EQ(read_at<std::uint32_t>(bytes, bytes.size() - 4), 6U);
}

RequestHead upgrade() {
  return {"GET", "/socket", {"127.0.0.1:8000"}, {"http://127.0.0.1:8000"}, {"electret.1, token.secret"},
          true,  false};
}

TEST(StudioProtocol, WhatWasAskedForIsBinary) {
  const auto number = [](const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof(value));
    return value;
  };
  auto frame = std::make_shared<Frame>();
  frame->generation = 3;
  frame->sequence = 99;
  frame->points = 1;
  frame->positions = std::make_shared<std::vector<float>>(std::vector<float>{1, 2, 3});
  frame->charges = std::make_shared<std::vector<float>>(std::vector<float>{4});
  SentFrame sent;
  const std::string plain = frame_bytes(*frame, sent), asked = event_bytes(AskedFrame{17, frame});
  EXPECT_EQ(asked[6], 3);
  EXPECT_EQ(number(asked, 12), 17U);
  EXPECT_EQ(asked.substr(16), plain.substr(16)) << "all of its blocks";
  const std::string picture =
      event_bytes(TracedPicture{18, std::make_shared<const std::string>("\x89PNG and so on")});
  EXPECT_EQ(picture[6], 4);
  EXPECT_EQ(number(picture, 12), 18U);
  EXPECT_EQ(picture.substr(binary_head), "\x89PNG and so on");
  const auto floats = [](std::vector<float> all) {
    return std::make_shared<const std::vector<float>>(std::move(all));
  };
  const std::string gradient = event_bytes(VertexGradient{19, 3, floats({1, 2}), floats({3, 4, 5})});
  EXPECT_EQ(gradient[6], 5);
  EXPECT_EQ(number(gradient, 8), 3U);
  EXPECT_EQ(number(gradient, 12), 19U);
  EXPECT_EQ(number(gradient, 32), 2U);
  EXPECT_EQ(gradient.size(), binary_head + 5 * sizeof(float));
  EXPECT_EQ(event_bytes(StateInfo{}), "");
  EXPECT_EQ(write_event(TracingInfo{18, 64, 480}), R"({"done":64,"number":18,"t":"tracing","total":480})");
  EXPECT_EQ(write_event(RecordingInfo{"runs/a", 3, 8}),
            R"({"done":3,"folder":"runs/a","going":true,"open":"","t":"recording","total":8})");
  EXPECT_THAT(write_event(RecordingInfo{"runs/a", 8, 8, false, "recorded:runs/a", "no room"}),
              HasSubstr(R"("error":"no room","folder":"runs/a","going":false,"open":"recorded:runs/a")"));
  const std::string done = write_event(
      GradientInfo{19, 2, 2, {}, true, 1.5, 20, "exact", {{"body.a.mass", "kg", 1, std::nan("")}}});
  EXPECT_THAT(done, HasSubstr(R"("loss":1.5)"));
  EXPECT_THAT(done, HasSubstr(R"({"name":"body.a.mass","size":1,"unit":"kg","value":null})"));
}

TEST(StudioRequests, TheTable) {
  const auto status = [](const RequestHead& head) { return judge(head, 8000, "secret").status; };
  const auto page = [](const std::string& target) {
    return RequestHead{"GET", target, {"localhost:8000"}, {}, {}, false, false};
  };
  EXPECT_EQ(status(page("/")), 200);
  EXPECT_EQ(judge(page("/"), 8000, "secret").type, "text/html; charset=utf-8");
  for (const char* target :
       {"/etc/passwd", "/../", "//", "/index.html", "", "/%2e%2e/etc", "/?x", "http://127.0.0.1:8000/"})
    EXPECT_EQ(status(page(target)), 404) << target;
  for (const std::vector<std::string>& hosts : {std::vector<std::string>{},
                                                {"evil.example"},
                                                {"evil.example:8000"},
                                                {"127.0.0.1"},
                                                {"127.0.0.1:80"},
                                                {"localhost:8000", "localhost:8000"},
                                                {"127.0.0.1:8000@evil"}}) {
    RequestHead head = page("/");
    head.hosts = hosts;
    EXPECT_EQ(status(head), 403);
  }
  for (const char* method : {"POST", "HEAD", "PUT", "OPTIONS", "get"}) {
    RequestHead head = page("/");
    head.method = method;
    EXPECT_EQ(status(head), 400) << method;
  }
  RequestHead body = page("/");
  body.has_body = true;
  EXPECT_EQ(status(body), 400);

  EXPECT_EQ(status(upgrade()), 101);
  RequestHead head = upgrade();
  head.hosts = {"localhost:8000"};
  head.origins = {"http://localhost:8000"};
  head.protocols = {"electret.1", "token.secret"};
  EXPECT_EQ(status(head), 101);
  for (const std::vector<std::string>& origins : {std::vector<std::string>{},
                                                  {"null"},
                                                  {"http://evil.example"},
                                                  {"https://127.0.0.1:8000"},
                                                  {"http://127.0.0.1:8001"},
                                                  {"http://127.0.0.1:8000", "null"}}) {
    head = upgrade();
    head.origins = origins;
    EXPECT_EQ(status(head), 403);
  }
  for (const std::vector<std::string>& protocols : {std::vector<std::string>{},
                                                    {"electret.1"},
                                                    {"token.secret"},
                                                    {"electret.1, token.wrong!"},
                                                    {"electret.1, token."},
                                                    {"electret.1, token.secrets"},
                                                    {"electret.2, token.secret"}}) {
    head = upgrade();
    head.protocols = protocols;
    EXPECT_EQ(status(head), 401);
  }
  head = upgrade();
  head.hosts = {"localhost"};
  head.origins = {"http://localhost"};
  EXPECT_EQ(judge(head, 80, "secret").status, 101);
  EXPECT_EQ(status(head), 403);
  head = upgrade();
  head.is_upgrade = false;
  EXPECT_EQ(status(head), 400);
  head = upgrade();
  head.target = "/";
  EXPECT_EQ(status(head), 400);
}

TEST(StudioRequests, TokensAreLongAndDiffer) {
  const std::string a = random_token(), b = random_token();
  EXPECT_EQ(a.size(), 32U);
  EXPECT_EQ(a.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(a, b);
}

TEST(StudioRequests, TheFirstPageIsThere) {
  ASSERT_FALSE(embedded_pages().empty());
  bool has_first = false;
  for (const EmbeddedPage& page : embedded_pages()) {
    has_first |= page.path == "/";
    EXPECT_FALSE(page.bytes.empty()) << page.path;
    EXPECT_NE(content_type(page.file), "application/octet-stream") << page.file;
  }
  EXPECT_TRUE(has_first);
}

}  // namespace
}  // namespace electret::studio
